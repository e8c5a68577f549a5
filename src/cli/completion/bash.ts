import type { Command } from 'commander';
import { type CommandWords, commandWords, quoted, type Word } from './command-words.ts';

/** Makes the completion script for bash. Where no command and no option fits, bash completes file names. */
export function bashCompletion(program: Command): string {
  const name = program.name();
  const all = commandWords(program);
  const known = all.slice(1).map(({ path }) => quoted(path));
  const functionName = `_${name.replaceAll(/\W/g, '_')}`;
  return `# Completion of ${name} for bash: source <(${name} completion bash)
${functionName}() {
  local at=${quoted(name)} current=\${COMP_WORDS[COMP_CWORD]} words='' options='' values='' file='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${known.join(' | ')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at" in
${all.map(caseOf).join('\n')}
  esac
  COMPREPLY=()
  case " $values " in *" \${COMP_WORDS[COMP_CWORD-1]} "*) return ;; esac
  if [[ -z $current && -n $file ]]; then return; fi
  if [[ $current == -* ]]; then words=$options; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F ${functionName} ${name}`;
}

function caseOf({ path, words, options, valueOptions, mayBeFile }: CommandWords): string {
  const list = (entries: Word[]): string => quoted(entries.map(({ text }) => text).join(' '));
  return `    ${quoted(path)}) words=${list(words)}; options=${list(options)}; values=${quoted(valueOptions.join(' '))}; file=${mayBeFile ? '1' : "''"} ;;`;
}

import type { Command } from 'commander';
import { type CommandWords, commandWords, quoted, type Word } from './command-words.ts';

/**
 * Makes the completion script for zsh, with descriptions. Where no command and no option fits, zsh completes file
 * names.
 */
export function zshCompletion(program: Command): string {
  const name = program.name();
  const all = commandWords(program);
  const known = all.slice(1).map(({ path }) => quoted(path));
  const functionName = `_${name.replaceAll(/\W/g, '_')}`;
  return `#compdef ${name}
# Completion of ${name} for zsh: source <(${name} completion zsh), after compinit
${functionName}() {
  local at=${quoted(name)} values='' file='' i
  local -a commands options
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      ${known.join(' | ')}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at" in
${all.map(caseOf).join('\n')}
  esac
  case " $values " in *" \${words[CURRENT-1]} "*) _files; return ;; esac
  if [[ \${words[CURRENT]} == -* ]]; then _describe -o option options; return; fi
  if (( \${#commands} )) && [[ -z $file || -n \${words[CURRENT]} ]]; then _describe command commands; else _files; fi
}
if [[ \${funcstack[1]} == ${functionName} ]]; then ${functionName} "$@"; else compdef ${functionName} ${name}; fi`;
}

function caseOf({ path, words, options, valueOptions, mayBeFile }: CommandWords): string {
  return `    ${quoted(path)}) commands=(${list(words)}); options=(${list(options)}); values=${quoted(valueOptions.join(' '))}; file=${mayBeFile ? '1' : "''"} ;;`;
}

/** Words in the form that zsh's `_describe` reads: a colon separates a word from its description. */
function list(words: Word[]): string {
  return words.map(({ text, description }) => quoted(`${text.replaceAll(':', '\\:')}:${description}`)).join(' ');
}

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bashCompletion } from '../../src/cli/completion/bash.ts';
import { zshCompletion } from '../../src/cli/completion/zsh.ts';
import { commandProgram } from '../../src/cli/program.ts';

const ZSH = '/usr/bin/zsh';

const LINES: [words: string[], completed: string[]][] = [
  [['we'], ['webhook']],
  [
    ['webhook', ''],
    ['list', 'why', 'redeliver', 'resume', 'tail', 'listen'],
  ],
  [
    ['webhook', 'list', '--'],
    ['--app', '--merchant', '--json', '--help'],
  ],
  [
    ['stock', ''],
    ['why', 'adjust'],
  ],
  [['stock', 'adjust', 'SKU', '5', '--location', 'x', '--exp'], ['--expected-count']],
  [['app', 'create', '--merchant', 'x', '--sales'], ['--sales-channel']],
  [
    ['completion', ''],
    ['bash', 'zsh'],
  ],
  [['import', ''], []],
  [['import', 's'], ['status']],
  [['import', 'status', '--l'], ['--limit']],
  [['import', '--pictures', ''], []],
  // Words of the line must not be executed.
  [['import', '$(touch /tmp/executed)', '--retry'], ['--retry-images']],
];

describe('the completion', () => {
  const bash = bashCompletion(commandProgram('commerce'));

  it.each(LINES)('in bash completes %j with %j', (words, completed) => {
    const script = `${bash}\nCOMP_WORDS=(commerce "$@"); COMP_CWORD=$#; _commerce; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(answerOf('bash', script, words)).toEqual(completed);
  });

  // Replaces zsh's own functions. `_describe` lists all candidates; the real one filters them by the typed prefix.
  const stubs = `compdef() { :; }; _files() { :; }; _describe() { print -l -- \${(P)\${@[-1]}} }`;
  const zsh = zshCompletion(commandProgram('commerce'));

  it.skipIf(!existsSync(ZSH)).each(LINES)('in zsh completes %j with %j among others', (words, completed) => {
    const script = `${stubs}\n${zsh}\nwords=(commerce "$@"); CURRENT=\${#words}; _commerce`;
    const offered = answerOf(ZSH, script, words).map((line) => line.split(':')[0]);
    expect(offered).toEqual(expect.arrayContaining(completed));
    expect(offered.length > 0).toBe(completed.length > 0);
  });
});

function answerOf(shell: string, script: string, words: string[]): string[] {
  const name = shell === 'bash' ? ['bash'] : ['zsh'];
  const text = execFileSync(shell, ['-c', script, ...name, ...words], { encoding: 'utf8' });
  return text.split('\n').filter((line) => line !== '');
}

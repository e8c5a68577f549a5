import { Argument, Command } from 'commander';
import { bashCompletion } from './completion/bash.ts';
import { zshCompletion } from './completion/zsh.ts';
import { printRaw } from './command-line/output.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion };

export function completion(): Command {
  return new Command('completion')
    .description('print the completion for a shell: source <(commerce completion bash)')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS, _options: object, command: Command) =>
      printRaw(SCRIPTS[shell](command.parent!)),
    );
}

import type { Command } from 'commander';

export type Word = { text: string; description: string };

/** The words that may follow a command. */
export type CommandWords = {
  /** The names of the program, of the groups of the command and of the command, separated by spaces. */
  path: string;
  /** Commands and choices of an argument; none if the argument is a file, an id or the like. */
  words: Word[];
  options: Word[];
  /** Whether an argument may stand in the place of a command. An empty word is then completed with names of files. */
  mayBeFile: boolean;
  /** The options that are followed by a value. */
  valueOptions: string[];
};

/**
 * The words of a program's commands, for a script that completes them without starting the program. (The library
 * `@bomb.sh/tab` starts it for each TAB, evaluates the typed line as shell code, and completes no names of files.)
 */
export function commandWords(command: Command, parentPath = ''): CommandWords[] {
  const path = `${parentPath} ${command.name()}`.trim();
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((child) => child.name() !== 'help');
  const options = help.visibleOptions(command);
  const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((text) => ({ text, description })),
  );
  const own: CommandWords = {
    path,
    words: [...commands.map((child) => ({ text: child.name(), description: child.description() })), ...choices],
    mayBeFile: commands.length > 0 && command.registeredArguments.length > 0,
    options: options.flatMap(({ long, description }) => (long ? [{ text: long, description }] : [])),
    valueOptions: options.flatMap(({ long, required, optional }) => (long && (required || optional) ? [long] : [])),
  };
  return [own, ...commands.flatMap((child) => commandWords(child, path))];
}

/** Quotes a text so that a shell reads it as one word. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

import { ownCommand } from '../../installation/own-command.ts';

/** A command of the same merchant, ready to be pasted into a shell. */
export function nextCommand(words: string, merchant: string | undefined): string {
  return ownCommand(merchant === undefined ? words : `${words} --merchant ${merchant}`);
}

/** Whether npm has installed this package. In the checkout there are npm scripts instead of the command `commerce`. */
const IS_INSTALLED = import.meta.url.includes('/node_modules/');

/** The command that starts the service, for messages: as the reader has to type it. */
export const START = IS_INSTALLED ? 'commerce start' : 'npm start';

/** A command for the operator, for messages: as the reader has to type it. */
export function ownCommand(words: string): string {
  return IS_INSTALLED ? `commerce ${words}` : `npm run admin -- ${words}`;
}

/** Like `ownCommand`, without npm's own lines in the output. */
export function silentCommand(words: string): string {
  return IS_INSTALLED ? `commerce ${words}` : `npm run -s admin -- ${words}`;
}

import { Command } from 'commander';
import { SdlError } from '../../src/graphql/schema/sdl.ts';
import { SdlVersionError } from './sdl-version.ts';

/** Nothing could be compared: an SDL with mistakes, or an unknown ref. */
const EXIT_FAILED = 2;

/** A command that prints the mistakes of the SDL, and other expected failures, without a stack. */
export function createCommand(name: string, description: string): Command {
  process.once('uncaughtException', (error) => {
    console.error(error instanceof SdlError || error instanceof SdlVersionError ? error.message : error);
    process.exit(EXIT_FAILED);
  });
  return new Command(name).description(description);
}

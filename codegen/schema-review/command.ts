import { Command } from 'commander';
import { SdlError } from '../../src/graphql/schema/sdl.ts';
import { SdlVersionError } from './sdl-version.ts';
import { UsageError } from './usage-error.ts';

/** Nothing could be compared: an SDL with mistakes, an unknown ref, or a usage that cannot be read. */
const EXIT_FAILED = 2;

const EXPECTED = [SdlError, SdlVersionError, UsageError];

/** A command that prints the mistakes of the SDL, and other expected failures, without a stack. */
export function createCommand(name: string, description: string): Command {
  process.once('uncaughtException', (error) => {
    console.error(EXPECTED.some((expected) => error instanceof expected) ? error.message : error);
    process.exit(EXIT_FAILED);
  });
  return new Command(name).description(description);
}

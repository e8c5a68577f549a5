import { EXIT_INTERRUPTED } from './interruption.ts';
import { STANDARD_STREAM } from '../command-line/options.ts';
import { printMessage } from '../command-line/output.ts';

/** Says what is left of an export that was interrupted, and sets the exit code. */
export function reportInterruptedExport(file: string): void {
  printMessage(
    file === STANDARD_STREAM
      ? 'Interrupted: the output is not complete.'
      : `Interrupted: nothing is written, and ${file} is as it was before.`,
  );
  process.exitCode = EXIT_INTERRUPTED;
}

import { EXIT_INTERRUPTED } from '../database/interruption.ts';
import { STANDARD_STREAM } from './options.ts';
import { printMessage } from './output.ts';

/** Says what is left of an export that was interrupted, and sets the exit code. */
export function reportInterruptedExport(file: string): void {
  printMessage(
    file === STANDARD_STREAM
      ? 'Interrupted: the output is not complete.'
      : `Interrupted: nothing is written, and ${file} is as it was before.`,
  );
  process.exitCode = EXIT_INTERRUPTED;
}

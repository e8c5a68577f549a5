import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import type { Context } from '../../context.ts';
import { reportInterruptedExport } from '../database/interrupted-export.ts';
import { EXPORT_FILE, MERCHANT_OPTION, STANDARD_STREAM } from '../command-line/options.ts';
import { printMessage } from '../command-line/output.ts';
import { withMerchantContext } from '../database/merchant-context.ts';

/** Only the owner of the file may read the personal data. */
const FILE_MODE = 0o600;

export function customerExport(): Command {
  return new Command('export')
    .description('write what the service holds of a customer, as one JSON text of any size')
    .argument('<customer>', 'the id of the customer')
    .argument(...EXPORT_FILE)
    .option(...MERCHANT_OPTION)
    .action(async (id: string, file: string, { merchant }: { merchant?: string }) => {
      const isWritten = await withMerchantContext(
        merchant,
        async (ctx, { interruption }) =>
          await interruption.untilInterrupted(async (signal) => await write(ctx, { id, file }, signal)),
      );
      if (!isWritten) reportInterruptedExport(file);
      else if (file !== STANDARD_STREAM) printMessage(resolve(file));
    });
}

/** False if it was interrupted. */
async function write(ctx: Context, { id, file }: { id: string; file: string }, signal: AbortSignal): Promise<boolean> {
  const { exportedPerson } = await import('../../customer/exported-person.ts');
  const { inPausableSnapshot } = await import('../../db/connection/transaction.ts');
  const { replaceFile } = await import('../../installation/replace-file.ts');
  try {
    await inPausableSnapshot(ctx, async (ctx) => {
      const pieces = exportedPerson(ctx, id);
      if (file === STANDARD_STREAM) await pipeline(pieces, process.stdout, { end: false, signal });
      else
        await replaceFile(
          file,
          async (unfinished) => await pipeline(pieces, createWriteStream(unfinished, { mode: FILE_MODE }), { signal }),
        );
    });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

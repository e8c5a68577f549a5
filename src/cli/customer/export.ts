import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { MERCHANT_OPTION, STANDARD_STREAM } from '../command-line/options.ts';
import { printMessage } from '../command-line/output.ts';
import { withWebhookContext } from '../webhook/webhook-context.ts';

export function customerExport(): Command {
  return new Command('export')
    .description('write all that the service holds of a customer, as one JSON text of any size')
    .argument('<customer>', 'the id of the customer')
    .argument(
      '<file>',
      `the file to write; one that is there is replaced. ${STANDARD_STREAM} writes to standard output`,
    )
    .option(...MERCHANT_OPTION)
    .action(async (id: string, file: string, options: { merchant?: string }) => {
      await withWebhookContext(options.merchant, async (ctx) => {
        const { exportedPerson } = await import('../../customer/exported-person.ts');
        const { inSnapshot } = await import('../../db/connection/transaction.ts');
        await inSnapshot(ctx, async (ctx) => {
          const pieces = exportedPerson(ctx, id);
          if (file === STANDARD_STREAM) await pipeline(pieces, process.stdout, { end: false });
          else await pipeline(pieces, createWriteStream(file, { mode: 0o600 }));
        });
      });
      if (file !== STANDARD_STREAM) printMessage(resolve(file));
    });
}

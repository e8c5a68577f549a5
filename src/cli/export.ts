import { resolve } from 'node:path';
import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { commandContext } from './command-context.ts';
import { printJson } from './output.ts';
import { exportCsv } from '../product/csv/export-csv.ts';
import { MERCHANT_OPTION, findMerchant } from './options.ts';
import { withDatabase } from './with-database.ts';

export function exportProducts(): Command {
  return new Command('export')
    .description('write the catalogue as a Shopify product CSV, which import reads back')
    .argument('<file>', 'the CSV file to write; one that is there is replaced')
    .option(...MERCHANT_OPTION)
    .action(async (file: string, options: { merchant?: string }) =>
      printJson(
        await withDatabase(async (database) => {
          const ctx = commandContext(database, await findMerchant(database, options.merchant));
          const bar = new SingleBar({
            stream: process.stderr,
            format: '{bar} {percentage}% | {value} of {total} products | {eta_formatted} left',
          });
          bar.start(0, 0);
          try {
            const written = await exportCsv(ctx, file, (done, total) => {
              bar.setTotal(total);
              bar.update(done);
            });
            return { file: resolve(file), ...written };
          } finally {
            bar.stop();
          }
        }),
      ),
    );
}

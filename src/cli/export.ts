import { resolve } from 'node:path';
import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { JSON_OPTION, MERCHANT_OPTION, STANDARD_STREAM } from './options.ts';
import { printMessage } from './output.ts';
import { printRecord } from './table.ts';
import { withMerchant } from './with-database.ts';

export function exportProducts(): Command {
  return new Command('export')
    .description('write the catalogue as a Shopify product CSV, which import reads back')
    .argument(
      '<file>',
      `the CSV file to write; one that is there is replaced. ${STANDARD_STREAM} writes to standard output`,
    )
    .option(...MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (file: string, options: { merchant?: string; json?: true }) => {
      const isStream = file === STANDARD_STREAM;
      const written = await withMerchant(options.merchant, async (database) => {
        const { commandContext } = await import('./command-context.ts');
        const { exportCsv, writeCsv } = await import('../product/csv/export-csv.ts');
        const ctx = commandContext(database);
        return await withProgressBar(async (show) =>
          isStream ? await writeCsv(ctx, () => process.stdout, show) : await exportCsv(ctx, file, show),
        );
      });
      if (isStream) printMessage(`${written.products} products, ${written.rows} rows`);
      else printRecord({ file: resolve(file), ...written }, options);
    });
}

/** Shows a progress bar of the products, on a terminal only. */
async function withProgressBar<T>(work: (show: (done: number, total: number) => void) => Promise<T>): Promise<T> {
  const bar = new SingleBar({
    stream: process.stderr,
    format: '{bar} {percentage}% | {value} of {total} products | {eta_formatted} left',
  });
  bar.start(0, 0);
  try {
    return await work((done, total) => {
      bar.setTotal(total);
      bar.update(done);
    });
  } finally {
    bar.stop();
  }
}

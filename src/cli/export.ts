import { resolve } from 'node:path';
import { Command } from 'commander';
import { type FileFormat, formatOf, formatOption } from './file-format.ts';
import { JSON_OPTION, MERCHANT_OPTION, STANDARD_STREAM } from './command-line/options.ts';
import { printMessage } from './command-line/output.ts';
import { progressBar } from './command-line/progress-bar.ts';
import { serviceAddress } from './service-address.ts';
import { printRecord } from './command-line/table.ts';
import { withMerchant } from './database/with-database.ts';

type Options = { merchant?: string; format?: FileFormat; excel?: true; json?: true };

export function exportProducts(): Command {
  return new Command('export')
    .description('write the catalogue as a Shopify product CSV or as JSON lines, which import reads back')
    .argument(
      '<file>',
      `the file to write; one that is there is replaced. ${STANDARD_STREAM} writes to standard output`,
    )
    .option(...MERCHANT_OPTION)
    .addOption(formatOption())
    .option(
      '--excel',
      'write a CSV for Excel: with a byte order mark, and only with the columns that have values; import reads it back',
    )
    .option(...JSON_OPTION)
    .action(async (file: string, options: Options, command: Command) => {
      const format = formatOf(file, options.format);
      if (options.excel && format !== 'csv') command.error('error: --excel is for CSV, and the format is jsonl');
      const isStream = file === STANDARD_STREAM;
      const written = await withMerchant(options.merchant, async (database) => {
        const { commandContext } = await import('./database/command-context.ts');
        const { toFile, toStream } = await writersOf(format);
        const ctx = commandContext(database);
        const { loadConfig } = await import('../config.ts');
        // The base of the addresses that the file has for uploaded pictures.
        const publicUrl = serviceAddress(loadConfig().http);
        return await withProgressBar(async (onProgress) => {
          const given = { publicUrl, onProgress, excel: options.excel ?? false };
          return isStream ? await toStream(ctx, () => process.stdout, given) : await toFile(ctx, file, given);
        });
      });
      if (isStream) printMessage(`${written.products} products, ${written.rows} rows`);
      else printRecord({ file: resolve(file), ...written }, options);
    });
}

async function writersOf(format: FileFormat) {
  if (format === 'csv') {
    const { exportCsv, writeCsv } = await import('../product-file/csv/export-csv.ts');
    return { toFile: exportCsv, toStream: writeCsv };
  }
  const { exportJsonLines, writeJsonLines } = await import('../product-file/json-lines/export-json-lines.ts');
  return { toFile: exportJsonLines, toStream: writeJsonLines };
}

/** Shows a progress bar of the products, on a terminal only. */
async function withProgressBar<T>(work: (show: (done: number, total: number) => void) => Promise<T>): Promise<T> {
  const bar = progressBar('{value} of {total} products');
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

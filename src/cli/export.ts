import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Exported } from '../product-file/export/export-products.ts';
import { type FileFormat, formatOf, formatOption } from './command-line/file-format.ts';
import { reportInterruptedExport } from './database/interrupted-export.ts';
import { EXPORT_FILE, JSON_OPTION, MERCHANT_OPTION, STANDARD_STREAM } from './command-line/options.ts';
import { printMessage } from './command-line/output.ts';
import { progressBar } from './command-line/progress-bar.ts';
import { serviceAddress } from './command-line/service-address.ts';
import { printRecord } from './command-line/table.ts';
import { type MerchantDatabase, withMerchant } from './database/with-database.ts';

type Options = { merchant?: string; format?: FileFormat; excel?: true; semicolons?: true; json?: true };

export function exportProducts(): Command {
  return new Command('export')
    .description('write the catalogue as a Shopify product CSV or as JSON lines, which import reads back')
    .argument(...EXPORT_FILE)
    .option(...MERCHANT_OPTION)
    .addOption(formatOption())
    .option(
      '--excel',
      'write a CSV for Excel: with a byte order mark, and only with the columns that have values; import reads it back',
    )
    .option(
      '--semicolons',
      'with --excel: semicolons between cells, and decimal commas, as Excel reads them in German, French and other languages',
    )
    .option(...JSON_OPTION)
    .action(async (file: string, options: Options, command: Command) => {
      const format = formatOf(file, options.format);
      if (options.excel && format !== 'csv') command.error('error: --excel is for CSV, and the format is jsonl');
      if (options.semicolons && !options.excel) command.error('error: --semicolons is given together with --excel');
      const written = await withMerchant(
        options.merchant,
        async (database) =>
          await database.interruption.untilInterrupted(async (signal) => await write(database, file, options, signal)),
      );
      if (written === null) reportInterruptedExport(file);
      else if (file === STANDARD_STREAM) printMessage(`${written.products} products, ${written.rows} rows`);
      else printRecord({ file: resolve(file), ...written }, options);
    });
}

/** Null if it was interrupted. */
async function write(
  database: MerchantDatabase,
  file: string,
  { format, excel, semicolons }: Options,
  signal: AbortSignal,
): Promise<Exported | null> {
  const { commandContext } = await import('./database/command-context.ts');
  const exportTo = await writerOf(formatOf(file, format));
  const ctx = commandContext(database);
  const { loadConfig } = await import('../config.ts');
  // The file contains addresses of uploaded pictures, which begin with this one.
  const publicUrl = serviceAddress(loadConfig().http);
  try {
    return await withProgressBar(async (show) => {
      const onProgress = (done: number, total: number): void => {
        signal.throwIfAborted();
        show(done, total);
      };
      const target = file === STANDARD_STREAM ? process.stdout : file;
      return await exportTo(ctx, target, {
        publicUrl,
        onProgress,
        excel: excel === true,
        semicolons: semicolons === true,
      });
    });
  } catch (error) {
    if (error === signal.reason && signal.aborted) return null;
    throw error;
  }
}

async function writerOf(format: FileFormat) {
  if (format === 'csv') return (await import('../product-file/csv/export-csv.ts')).exportCsv;
  return (await import('../product-file/json-lines/export-json-lines.ts')).exportJsonLines;
}

/** Shows a progress bar of the products, on a terminal only. */
async function withProgressBar<T>(work: (show: (done: number, total: number) => void) => Promise<T>): Promise<T> {
  const bar = progressBar('{value} of {total} products');
  let isStarted = false;
  try {
    return await work((done, total) => {
      if (!isStarted) bar.start(total, done);
      isStarted = true;
      bar.update(done);
    });
  } finally {
    bar.stop();
  }
}

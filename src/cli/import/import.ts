import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { SingleBar } from 'cli-progress';
import { Command, Option } from 'commander';
import type { Imported, Keep } from '../product-file/import/import-run.ts';
import { type FileFormat, formatOf, formatOption } from './file-format.ts';
import { JSON_OPTION, MERCHANT_OPTION, STANDARD_STREAM } from './command-line/options.ts';
import { printDifferences } from './print-differences.ts';
import { printRecord } from './command-line/table.ts';
import { type MerchantDatabase, withMerchant } from './database/with-database.ts';

/** The exit code if the import has finished and has skipped some rows. */
const EXIT_SKIPPED = 3;

type Options = {
  merchant?: string;
  format?: FileFormat;
  keep?: Keep;
  encoding?: string;
  retryImages?: true;
  pictures?: string;
  dryRun?: true;
  json?: true;
};

export function importProducts(): Command {
  return new Command('import')
    .description(
      `bring the products of a Shopify product CSV or of JSON lines into the catalogue; exit code ${EXIT_SKIPPED} when something was skipped`,
    )
    .argument(
      '<file>',
      `the file; ${STANDARD_STREAM} reads standard input. The encoding and the delimiter of a CSV are recognized`,
    )
    .option(...MERCHANT_OPTION)
    .addOption(formatOption())
    .addOption(keepOption())
    .option('--encoding <name>', 'encoding of a file that is not UTF-8, UTF-16 or Windows-1252, such as windows-1254')
    .option('--retry-images', 'ask again for pictures that could not be fetched')
    .option('--pictures <folder>', 'add the pictures of a folder, named HANDLE.jpg, to the products without pictures')
    .option(
      '--dry-run',
      'print what would change, product by product with old and new values, also of products that are skipped until --keep is given, and write nothing',
    )
    .option(...JSON_OPTION)
    .action(async (file: string, options: Options, command: Command) => {
      if (options.dryRun && options.pictures !== undefined)
        command.error('error: --dry-run and --pictures are not given together');
      const size = file === STANDARD_STREAM ? null : await sizeOf(file);
      const chunks = file === STANDARD_STREAM ? process.stdin : createReadStream(file);
      const imported = await withMerchant(options.merchant, async (database) =>
        withProgressBar(size, async (progress) => await importAll(database, { file, chunks }, progress, options)),
      );
      printRecord(imported, options);
      if (imported.skipped.length > 0) process.exitCode = EXIT_SKIPPED;
    });
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file);
  if (!found.isDirectory()) return found.size;
  const { CommandError } = await import('../process/command-error.ts');
  throw new CommandError(`${file} is a folder, but import reads one file: a CSV or JSON lines.`);
}

async function importAll(
  database: MerchantDatabase,
  { file, chunks }: { file: string; chunks: AsyncIterable<Buffer> },
  progress: Progress,
  options: Options,
): Promise<Imported & { picturesAdded?: number; dryRun?: true }> {
  const { commandContext } = await import('./database/command-context.ts');
  const ctx = commandContext(database, 'commerce import');
  const onBatch = (soFar: Imported): void => progress.show(soFar);
  const importFile = await importerOf(formatOf(file, options.format));
  const imported = await importFile(ctx, progress.counted(chunks), {
    ...(options.encoding === undefined ? {} : { encoding: options.encoding }),
    retryImages: options.retryImages ?? false,
    keep: options.keep,
    onBatch,
    ...(options.dryRun ? { onDifferences: (found) => progress.print(() => printDifferences(found, options)) } : {}),
  });
  const { pictures } = options;
  if (options.dryRun) return { ...imported, dryRun: true };
  if (pictures === undefined) return imported;
  const { addPictures } = await import('../image/add-pictures.ts');
  const { withImages } = await import('./with-images.ts');
  const picturesAdded = await withImages(async (images) => await addPictures({ ...ctx, ...images }, pictures));
  return { ...imported, picturesAdded };
}

function keepOption(): Option {
  const text =
    'what stays of products that the shop has changed or deleted since the export; without it they are skipped';
  return new Option('--keep <which>', text).choices(['newer', 'sheet']);
}

async function importerOf(format: FileFormat) {
  if (format === 'jsonl') return (await import('../product-file/json-lines/import-json-lines.ts')).importJsonLines;
  return (await import('../product-file/csv/import-csv.ts')).importCsv;
}

type Progress = {
  counted: (chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
  show: (imported: Imported) => void;
  /** Prints lines above the bar. */
  print: (lines: () => void) => void;
};

/** Shows a progress bar of the bytes that were read, on a terminal only. The size of standard input is null. */
async function withProgressBar<T>(size: number | null, work: (progress: Progress) => Promise<T>): Promise<T> {
  const counts = '{products} products, {skipped} skipped';
  const bar = new SingleBar({
    stream: process.stderr,
    format: size === null ? counts : `{bar} {percentage}% | ${counts} | {eta_formatted} left`,
  });
  let read = 0;
  let shown = { products: 0, skipped: 0 };
  bar.start(size ?? 0, 0, shown);
  try {
    return await work({
      counted: async function* (chunks) {
        for await (const chunk of chunks) {
          yield chunk;
          read += chunk.length;
        }
      },
      print: (lines) => {
        bar.stop();
        lines();
        bar.start(size ?? 0, read, shown);
      },
      show: ({ created, updated, unchanged, skipped }) => {
        shown = { products: created + updated + unchanged, skipped: skipped.length };
        bar.update(read, shown);
      },
    });
  } finally {
    bar.stop();
  }
}

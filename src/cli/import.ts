import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { commandContext } from './command-context.ts';
import { printJson } from './output.ts';
import { importCsv, type Imported } from '../product/csv/import-csv.ts';
import { MERCHANT_OPTION, findMerchant } from './options.ts';
import { addPictures } from '../image/add-pictures.ts';
import { withImages } from './with-images.ts';
import { withDatabase } from './with-database.ts';

/** The import finished and skipped some rows. */
const EXIT_SKIPPED = 3;

type Options = { merchant?: string; retryImages?: true; pictures?: string };

export function importProducts(): Command {
  return new Command('import')
    .description(
      `bring the products of a Shopify product CSV into the catalogue; exit code ${EXIT_SKIPPED} when something was skipped`,
    )
    .argument('<file>', 'the CSV file, in UTF-8')
    .option(...MERCHANT_OPTION)
    .option('--retry-images', 'ask again for pictures that could not be fetched')
    .option('--pictures <folder>', 'add the pictures of a folder, named HANDLE.jpg, to the products without pictures')
    .action(async (file: string, options: Options) => {
      const { size } = await stat(file);
      const imported = await withDatabase(async (database) => {
        const ctx = commandContext(database, await findMerchant(database, options.merchant));
        const answer = await withProgressBar(size, async (progress) => {
          const onBatch = (soFar: Imported): void => progress.show(soFar);
          return await importCsv(ctx, progress.counted(createReadStream(file)), {
            retryImages: options.retryImages ?? false,
            onBatch,
          });
        });
        const { pictures } = options;
        if (pictures === undefined) return answer;
        return {
          ...answer,
          picturesAdded: await withImages(async (images) => await addPictures({ ...ctx, ...images }, pictures)),
        };
      });
      printJson(imported);
      if (imported.skipped.length > 0) process.exitCode = EXIT_SKIPPED;
    });
}

type Progress = {
  counted: (chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
  show: (imported: Imported) => void;
};

/** Shows a progress bar of the bytes read, on a terminal only. */
async function withProgressBar<T>(size: number, work: (progress: Progress) => Promise<T>): Promise<T> {
  const bar = new SingleBar({
    stream: process.stderr,
    format: '{bar} {percentage}% | {products} products, {skipped} skipped | {eta_formatted} left',
  });
  let read = 0;
  bar.start(size, 0, { products: 0, skipped: 0 });
  try {
    return await work({
      counted: async function* (chunks) {
        for await (const chunk of chunks) {
          yield chunk;
          read += chunk.length;
        }
      },
      show: ({ created, updated, unchanged, skipped }) =>
        bar.update(read, { products: created + updated + unchanged, skipped: skipped.length }),
    });
  } finally {
    bar.stop();
  }
}

import type { Context } from '../../context.ts';
import type { FileEntry } from '../import/file-product.ts';
import { type Imported, importProducts, type ImportOptions } from '../import/import-products.ts';
import type { StoreIds } from '../line/store-ids.ts';
import type { Layout } from './layout.ts';
import { fileProduct } from './file-product.ts';
import { type CsvEntry, readCsv } from './read-csv.ts';

/** `encoding`: the encoding of the file, unless it is to be recognized. */
type CsvOptions = ImportOptions & { encoding?: string };

/** Imports a product sheet. */
export async function importCsv(
  ctx: Context,
  chunks: AsyncIterable<Uint8Array>,
  options: CsvOptions,
): Promise<Imported> {
  const { layout, entries } = await readCsv(chunks, options.encoding);
  return await importProducts(ctx, fileEntries(entries, layout), options, (storeIds) =>
    ignoredColumns(layout, storeIds),
  );
}

async function* fileEntries(entries: AsyncIterable<CsvEntry>, layout: Layout): AsyncGenerator<FileEntry> {
  for await (const { product, skipped } of entries)
    yield skipped ? { skipped } : { product: fileProduct(product, layout) };
}

function ignoredColumns({ listPrices, titles, unread }: Layout, { priceLists }: StoreIds): string[] {
  const ofOtherLists = [...listPrices].flatMap(([label, places]) =>
    priceLists.find(label) ? [] : [...places.values()].map((place) => titles[place]!),
  );
  return [...unread, ...ofOtherLists];
}

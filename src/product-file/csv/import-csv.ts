import type { Context } from '../../context.ts';
import { importProducts } from '../import/import-products.ts';
import type { Imported, ImportOptions } from '../import/import-run.ts';
import type { NamedRecords } from '../line/named-records.ts';
import type { Layout } from './layout.ts';
import { readCsv } from './read-csv.ts';

/** `encoding`: the encoding of the file, unless it is to be recognized. */
type CsvOptions = ImportOptions & { encoding?: string };

/** Imports a product sheet. */
export async function importCsv(
  ctx: Context,
  chunks: AsyncIterable<Uint8Array>,
  options: CsvOptions,
): Promise<Imported> {
  const { layout, entries } = await readCsv(chunks, options.encoding);
  return await importProducts(ctx, entries, options, (records) => ignoredColumns(layout, records));
}

function ignoredColumns({ listPrices, titles, unread }: Layout, { priceLists }: NamedRecords): string[] {
  const ofOtherLists = [...listPrices].flatMap(([label, places]) =>
    priceLists.find(label) ? [] : [...places.values()].map((place) => titles[place]!),
  );
  return [...unread, ...ofOtherLists];
}

import type { Context } from '../../context.ts';
import type { FileEntry } from '../import/file-product.ts';
import { importProducts } from '../import/import-products.ts';
import type { Imported, ImportOptions } from '../import/import-run.ts';
import type { Mistake } from '../import/skipped.ts';
import { MAX_LISTED_WARNINGS } from '../import/write-products.ts';
import type { NamedRecords } from '../line/named-records.ts';
import type { Layout } from './layout.ts';
import { type ProductCsv, readCsv, tornHandles } from './read-csv.ts';

/**
 * `encoding`: the encoding of the file, unless it is to be recognized. `again`: opens the file once more; missing if it can
 * be read only once, as standard input.
 */
type CsvOptions = ImportOptions & { encoding?: string; again?: (() => AsyncIterable<Uint8Array>) | undefined };

/** Imports a product sheet. */
export async function importCsv(
  ctx: Context,
  chunks: AsyncIterable<Uint8Array>,
  options: CsvOptions,
): Promise<Imported> {
  const sheet = await openSheet(chunks, options).catch((error: unknown) => {
    // Reading fails because the signal has closed the file, or because it came with the end of the input.
    if (options.signal?.aborted) return null;
    throw error;
  });
  if (!sheet) return await importProducts(ctx, none(), options);
  const imported = await importProducts(ctx, sheet.entries, options, (records) =>
    ignoredColumns(sheet.layout, records),
  );
  const { warning } = sheet.guess;
  return warning ? { ...withWarning(imported, warning), encoding: 'windows-1252' } : imported;
}

async function openSheet(
  chunks: AsyncIterable<Uint8Array>,
  { again, encoding }: Pick<CsvOptions, 'again' | 'encoding'>,
): Promise<ProductCsv> {
  return await readCsv(chunks, { encoding, ...(again && { torn: await tornHandles(again(), encoding) }) });
}

function withWarning(imported: Imported, warning: Mistake): Imported {
  const { warnings = [], warningCount = 0 } = imported;
  const listed = [{ ...warning, handle: null }, ...warnings].slice(0, MAX_LISTED_WARNINGS);
  return { ...imported, warnings: listed, warningCount: warningCount + 1 };
}

async function* none(): AsyncGenerator<FileEntry> {}

function ignoredColumns({ listPrices, titles, unread }: Layout, { priceLists }: NamedRecords): string[] {
  const ofOtherLists = [...listPrices].flatMap(([label, places]) =>
    priceLists.find(label) ? [] : [...places.values()].map((place) => titles[place]!),
  );
  return [...unread, ...ofOtherLists];
}

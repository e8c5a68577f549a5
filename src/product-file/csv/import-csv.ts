import type { Context } from '../../context.ts';
import type { FileEntry } from '../import/file-product.ts';
import { importProducts } from '../import/import-products.ts';
import type { Imported, ImportOptions } from '../import/import-run.ts';
import { MAX_LISTED_WARNINGS } from '../import/write-products.ts';
import type { NamedRecords } from '../line/named-records.ts';
import { quoted } from './cells.ts';
import type { Layout } from './layout.ts';
import { type ProductCsv, readCsv, tornHandles } from './read-csv.ts';
import { columnLetters } from './row-mistakes.ts';

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
  return withEncoding(imported, sheet.guess);
}

async function openSheet(
  chunks: AsyncIterable<Uint8Array>,
  { again, encoding }: Pick<CsvOptions, 'again' | 'encoding'>,
): Promise<ProductCsv> {
  return await readCsv(chunks, { encoding, ...(again && { torn: await tornHandles(again(), encoding) }) });
}

/** The answer names an encoding that was guessed, with a word by which the guess can be judged. */
function withEncoding(imported: Imported, { word }: ProductCsv['guess']): Imported {
  if (!word) return imported;
  const { line, row, place, text } = word;
  const reason = `is read as Windows-1252, as in ${quoted(text)}: if that is wrong, give --encoding, such as macintosh or windows-1250`;
  const warning = { line, row, column: columnLetters(place), handle: null, reason };
  const { warnings = [], warningCount = 0 } = imported;
  return {
    ...imported,
    encoding: 'windows-1252',
    warnings: [warning, ...warnings].slice(0, MAX_LISTED_WARNINGS),
    warningCount: warningCount + 1,
  };
}

async function* none(): AsyncGenerator<FileEntry> {}

function ignoredColumns({ listPrices, titles, unread }: Layout, { priceLists }: NamedRecords): string[] {
  const ofOtherLists = [...listPrices].flatMap(([label, places]) =>
    priceLists.find(label) ? [] : [...places.values()].map((place) => titles[place]!),
  );
  return [...unread, ...ofOtherLists];
}

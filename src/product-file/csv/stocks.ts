import type { ImportNotes } from '../import/file-product.ts';
import type { VariantLine } from '../line/product-line-input.ts';
import type { NamedRecords } from '../line/named-records.ts';
import { CellError, parseAmount, printDecimal, quoted } from './cells.ts';
import { titleOf } from './columns.ts';
import type { Layout } from './layout.ts';
import type { CsvRow } from './text/read-csv-rows.ts';
import type { RowReader } from './row-reader.ts';

const PAIR_SEPARATOR = '; ';
/** Characters that separate pairs, or names from counts. In names a backslash is before them. */
const SPECIAL = /[\\=;]/g;
const ESCAPED = /\\([^])/g;

/** What is needed to read a row besides the row itself. */
export type Sheet = { layout: Layout; reader: RowReader; records: NamedRecords; notes: ImportNotes };
type Stock = NonNullable<VariantLine['stocks']>[number];

/**
 * The counts of a row. Those with the name of their stock location are believed first. A count without a name, as files
 * of other programs have it, is for the oldest location. An empty cell sets no count.
 */
export function stocksIn(row: CsvRow, sheet: Sheet): Stock[] | undefined {
  const named = pairsIn(row, sheet);
  const counts = new Map(named.map((stock) => [stock.stockLocation, stock]));
  for (const stock of columnsIn(row, sheet))
    if (!counts.has(stock.stockLocation)) counts.set(stock.stockLocation, stock);
  const unnamed = unnamedIn(row, sheet, named, counts);
  if (unnamed) counts.set(unnamed.stockLocation, unnamed);
  return counts.size > 0 ? [...counts.values()] : undefined;
}

/** The labels of the stock locations that the row names in one cell. */
export function locationsIn(row: CsvRow, { read }: RowReader): string[] {
  return (read(row, 'stockLocations', parseStocks) ?? []).map(({ label }) => label);
}

/** Whether the row has a count without the name of its stock location, and none with a name in the same row. */
export function hasUnnamedCount(row: CsvRow, { read }: RowReader): boolean {
  return read(row, 'inventory', (cell) => cell) != null && read(row, 'stockLocations', (cell) => cell) == null;
}

function pairsIn(row: CsvRow, { reader, records: { locations } }: Sheet): Stock[] {
  const parse = (cell: string): Stock[] =>
    parseStocks(cell).map(({ label, count }) => {
      const stockLocation = locations.normalized(label);
      if (stockLocation !== undefined) return { stockLocation, stockCount: count };
      throw new CellError(
        locations.isRepeated(label)
          ? `names ${quoted(label)}, but several stock locations have this name: write an id behind it, as exports do`
          : `names ${quoted(label)}, which is no stock location of the shop`,
      );
    });
  return reader.read(row, 'stockLocations', parse) ?? [];
}

/** The counts of the columns for single stock locations, which earlier exports have. */
function columnsIn(row: CsvRow, { layout, reader, records: { locations } }: Sheet): Stock[] {
  return [...layout.inventories].flatMap(([label, place]) => {
    const stockCount = reader.readAt(row, place, layout.titles[place]!, parseAmount);
    return stockCount == null ? [] : [{ stockLocation: locations.normalized(label) ?? label, stockCount }];
  });
}

/**
 * The count without a name. In our exports it repeats one of the named counts, for Shopify. If somebody has changed it
 * there, the import says that it was not used.
 */
function unnamedIn(
  row: CsvRow,
  { reader, records: { locations, defaultLocationId }, notes }: Sheet,
  named: readonly Stock[],
  counts: ReadonlyMap<string, Stock>,
): Stock | undefined {
  const stockCount = reader.read(row, 'inventory', parseAmount) ?? null;
  if (stockCount === null) return undefined;
  const stockLocation = locations.label(defaultLocationId ?? '') ?? '';
  const rivals = named.length > 0 ? named : [counts.get(stockLocation)].filter((stock) => stock !== undefined);
  if (rivals.length === 0) {
    notes.inventoryLocation(locations.get(defaultLocationId ?? '')?.name ?? '');
    return { stockLocation, stockCount };
  }
  if (!rivals.some((rival) => rival.stockCount === stockCount))
    notes.unusedCount(row, `${titleOf('inventory')} is ${stockCount}, but the row has other counts by location`);
  return undefined;
}

/** A count of a variant, and the label of its stock location. */
export type LocationCount = { label: string; count: number };

/** The counts as `Berlin=7; Paris=3`. */
export function printStocks(counts: readonly LocationCount[]): string {
  const pairs = counts.map(({ label, count }) => `${label.replace(SPECIAL, '\\$&')}=${printDecimal(count)}`);
  return pairs.join(PAIR_SEPARATOR);
}

export function parseStocks(cell: string): LocationCount[] {
  const pairs = splitUnescaped(cell, ';').filter((pair) => pair.trim() !== '');
  const counts = new Map<string, number>();
  for (const { label, count } of pairs.map((pair) => parsePair(pair))) {
    if (counts.has(label))
      throw new CellError(`must have one count for each stock location, not two for ${quoted(label)}`);
    counts.set(label, count);
  }
  return Array.from(counts, ([label, count]) => ({ label, count }));
}

function parsePair(pair: string): LocationCount {
  const [name = '', count, ...others] = splitUnescaped(pair, '=');
  const label = name.trim().replace(ESCAPED, '$1');
  if (label === '' || count === undefined || others.length > 0)
    throw new CellError(`must be pairs such as Berlin=7; Paris=3, not ${quoted(pair)}`);
  return { label, count: parseAmount(count) };
}

/** The parts of the text between the separators that have no backslash before them. */
function splitUnescaped(text: string, separator: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === separator) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}

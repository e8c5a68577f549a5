import { normalizedName } from '../../values/text.ts';
import type { ImportNotes } from '../import/file-product.ts';
import { reasonFor } from '../import/skipped.ts';
import type { NamedRecords } from '../line/named-records.ts';
import type { VariantLine } from '../line/product-line-input.ts';
import { CellError, parseAmount, printDecimal, quoted } from './cells.ts';
import { titleOf } from './columns.ts';
import type { SheetRow } from './sheet-row.ts';

const PAIR_SEPARATOR = '; ';
const CREATE_FIRST = 'create it first, because an import creates locations only in a shop that had none before';
/** Characters that separate pairs, or names from counts. In names a backslash is before them. */
const SPECIAL = /[\\=;]/g;
const ESCAPED = /\\([^])/g;

type Stock = NonNullable<VariantLine['stocks']>[number];

/**
 * The counts of a row. Those with the name of their stock location are believed first. A count without a name, as files
 * of other programs have it, is for the oldest location. An empty cell sets no count.
 */
export function stocksIn(row: SheetRow, records: NamedRecords, notes: ImportNotes): Stock[] | undefined {
  const named = pairsIn(row, records);
  const counts = new Map(named.map((stock) => [stock.stockLocation, stock]));
  for (const stock of columnsIn(row, records))
    if (!counts.has(stock.stockLocation)) counts.set(stock.stockLocation, stock);
  const stockCount = row.read('inventory', parseAmount);
  if (stockCount && isUntracked(row)) {
    const reason = `${titleOf('inventory')} is ${stockCount}, but the variant has no tracker`;
    (notes.unusedCounts ??= []).push(reasonFor(row, reason));
  } else if (stockCount != null && !isUntracked(row)) {
    const { locations, defaultLocationId } = records;
    const stockLocation = locations.label(defaultLocationId ?? '') ?? '';
    const rivals = named.length > 0 ? named : [counts.get(stockLocation)].filter((stock) => stock !== undefined);
    if (rivals.length === 0) {
      notes.inventoryLocation = locations.get(defaultLocationId ?? '')?.name ?? '';
      counts.set(stockLocation, { stockLocation, stockCount });
    } else if (!rivals.some((rival) => rival.stockCount === stockCount)) {
      // In our exports the count repeats one of the named counts, for Shopify. Somebody has changed it there.
      const reason = `${titleOf('inventory')} is ${stockCount}, but the row has other counts by location`;
      (notes.unusedCounts ??= []).push(reasonFor(row, reason));
    }
  }
  return counts.size > 0 ? [...counts.values()] : undefined;
}

/** The labels of the stock locations that the row names in one cell. */
export function locationsIn(row: SheetRow): string[] {
  return (row.read('stockLocations', parseStocks) ?? []).map(({ label }) => label);
}

/** Whether the row has a count without the name of its stock location, and none with a name in the same row. */
export function hasUnnamedCount(row: SheetRow): boolean {
  return !row.isEmpty('inventory') && row.isEmpty('stockLocations') && !isUntracked(row);
}

/**
 * Whether the variant can always be bought: Shopify ignores the policy and the count of a variant without a tracker. Our
 * exports have a tracker for each variant.
 */
export function isUntracked(row: SheetRow): boolean {
  return row.has('inventoryTracker') && row.isEmpty('inventoryTracker') && !row.layout.isOurs;
}

function pairsIn(row: SheetRow, { locations }: NamedRecords): Stock[] {
  const parse = (cell: string): Stock[] =>
    parseStocks(cell).map(({ label, count }) => {
      const stockLocation = locations.normalized(label);
      if (stockLocation !== undefined) return { stockLocation, stockCount: count };
      throw new CellError(
        locations.isRepeated(label)
          ? `names ${quoted(label)}, but several stock locations have this name: write an id behind it, as exports do`
          : `names ${quoted(label)}, which is no stock location of the shop: ${CREATE_FIRST}`,
      );
    });
  return row.read('stockLocations', parse) ?? [];
}

/** The counts of the columns for single stock locations, which earlier exports have. */
function columnsIn(row: SheetRow, { locations }: NamedRecords): Stock[] {
  return [...row.layout.inventories].flatMap(([label, place]) => {
    const stockCount = row.read(place, parseAmount);
    return stockCount == null ? [] : [{ stockLocation: locations.normalized(label) ?? label, stockCount }];
  });
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
  const label = normalizedName(name).replace(ESCAPED, '$1');
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

import type { ImportNotes, ImportVariant } from '../import/import-input.ts';
import type { StoreIds } from '../line/store-ids.ts';
import { CellError, parseAmount, quoted } from './cells.ts';
import { type Layout, titleOf } from './columns.ts';
import type { CsvRow } from './read-csv-rows.ts';
import type { RowReader } from './row-reader.ts';
import { parseStocks } from './stock-cell.ts';

type StocksArgs = { layout: Layout; reader: RowReader; storeIds: StoreIds; notes: ImportNotes };
type Stock = NonNullable<ImportVariant['stocks']>[number];

/**
 * The counts of a row. Those with the name of their stock location are believed first. A count without a name, as files
 * of other programs have it, is for the oldest location. An empty cell sets no count.
 */
export function stocksIn(row: CsvRow, args: StocksArgs): ImportVariant['stocks'] | undefined {
  const named = pairsIn(row, args);
  const counts = new Map(named.map((stock) => [stock.stockLocationId, stock]));
  for (const stock of columnsIn(row, args))
    if (!counts.has(stock.stockLocationId)) counts.set(stock.stockLocationId, stock);
  const unnamed = unnamedIn(row, args, named, counts);
  if (unnamed) counts.set(unnamed.stockLocationId, unnamed);
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

function pairsIn(row: CsvRow, { reader, storeIds: { locations } }: StocksArgs): Stock[] {
  const parse = (cell: string): Stock[] =>
    parseStocks(cell).map(({ label, count }) => {
      const location = locations.find(label);
      if (location) return { stockLocationId: location.id, stockCount: count };
      throw new CellError(
        locations.isRepeated(label)
          ? `names ${quoted(label)}, but several stock locations have this name: write an id behind it, as exports do`
          : `names ${quoted(label)}, which is no stock location of the shop`,
      );
    });
  return reader.read(row, 'stockLocations', parse) ?? [];
}

/** The counts of the columns for single stock locations, which earlier exports have. */
function columnsIn(row: CsvRow, { layout, reader, storeIds }: StocksArgs): Stock[] {
  return [...layout.inventories].flatMap(([label, place]) => {
    const stockCount = reader.readAt(row, place, layout.titles[place]!, parseAmount);
    return stockCount === null ? [] : [{ stockLocationId: storeIds.locations.find(label)?.id ?? label, stockCount }];
  });
}

/**
 * The count without a name. In our exports it repeats one of the named counts, for Shopify. If somebody has changed it
 * there, the import says that it was not used.
 */
function unnamedIn(
  row: CsvRow,
  { reader, storeIds, notes }: StocksArgs,
  named: readonly Stock[],
  counts: ReadonlyMap<string, Stock>,
): Stock | undefined {
  const stockCount = reader.read(row, 'inventory', parseAmount) ?? null;
  if (stockCount === null) return undefined;
  const { defaultLocationId: stockLocationId = '', locations } = storeIds;
  const rivals = named.length > 0 ? named : [counts.get(stockLocationId)].filter((stock) => stock !== undefined);
  if (rivals.length === 0) {
    notes.inventoryLocation(locations.get(stockLocationId)?.name ?? '');
    return { stockLocationId, stockCount };
  }
  if (!rivals.some((rival) => rival.stockCount === stockCount))
    notes.unusedCount(row.line, `${titleOf('inventory')} is ${stockCount}, but the row has other counts by location`);
  return undefined;
}

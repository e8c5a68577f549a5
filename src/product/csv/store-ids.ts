import type { Context } from '../../context.ts';
import type { Pagination } from '../../db/read/pagination.ts';
import { listPriceList } from '../../price-list/listPriceList.ts';
import { listStockLocation } from '../../stock/listStockLocation.ts';
import { saveStockLocation } from '../../stock/saveStockLocation.ts';
import type { Layout } from './columns.ts';
import type { CsvProduct } from './read-csv.ts';

const LIST_LIMIT = 200;
const DEFAULT_LOCATION_NAME = 'Main warehouse';

/** Ids of the records that a file refers to, by their labels in column titles. */
export type StoreIds = {
  priceLists: ReadonlyMap<string, string>;
  /** The oldest stock location, to which the inventory column of the format refers. */
  defaultLocationId: string | undefined;
  otherLocations: ReadonlyMap<string, string>;
};

type Named = { id: string; name: string; createdAt?: number | null };

const selection = { id: {}, name: {}, createdAt: {} };

export async function readStoreIds(ctx: Context): Promise<StoreIds> {
  const priceLists = await all((pagination) => listPriceList(ctx, { pagination }, selection));
  const [first, ...others] = await all((pagination) => listStockLocation(ctx, { pagination }, selection));
  return { priceLists: byLabel(priceLists), defaultLocationId: first?.id, otherLocations: byLabel(others) };
}

/** Creates the stock locations for which these products have counts, and returns all ids. */
export async function createMissingLocations(
  ctx: Context,
  storeIds: StoreIds,
  { columns, inventories }: Layout,
  csvProducts: readonly CsvProduct[],
): Promise<StoreIds> {
  const isCounted = (place: number | undefined) =>
    place !== undefined && csvProducts.some(({ rows }) => rows.some(({ cells }) => (cells[place] ?? '').trim() !== ''));
  const create = async (name: string): Promise<string> =>
    (await saveStockLocation(ctx, { input: { name } }, { id: {} })).id;
  const needsDefault = storeIds.defaultLocationId === undefined && isCounted(columns.get('inventory'));
  const defaultLocationId = needsDefault ? await create(DEFAULT_LOCATION_NAME) : storeIds.defaultLocationId;
  const otherLocations = new Map(storeIds.otherLocations);
  for (const [label, place] of inventories)
    if (!otherLocations.has(label) && isCounted(place)) otherLocations.set(label, await create(label));
  return { ...storeIds, defaultLocationId, otherLocations };
}

/** All records, oldest first. */
async function all(list: (pagination: Pagination) => Promise<Named[]>): Promise<Named[]> {
  const found: Named[] = [];
  for (let page = 1; found.length === (page - 1) * LIST_LIMIT; page++)
    found.push(...(await list({ page, limit: LIST_LIMIT })));
  return found.sort((a, b) => a.createdAt! - b.createdAt! || (a.id < b.id ? -1 : 1));
}

/** The label is the name, followed by the id if several records have the name. */
function byLabel(records: Named[]): Map<string, string> {
  const byName = Map.groupBy(records, ({ name }) => name);
  const isAlone = ({ name }: Named) => byName.get(name)!.length === 1;
  return new Map(records.map((record) => [isAlone(record) ? record.name : `${record.name} (${record.id})`, record.id]));
}

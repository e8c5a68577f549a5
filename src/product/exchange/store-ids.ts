import { listProductAttribute } from '../../attribute/listProductAttribute.ts';
import { saveProductAttribute } from '../../attribute/saveProductAttribute.ts';
import type { Context } from '../../context.ts';
import { argumentInvalid } from '../../errors.ts';
import type { Pagination } from '../../db/read/pagination.ts';
import { listPriceList } from '../../price-list/listPriceList.ts';
import { listSalesChannel } from '../../sales-channel/listSalesChannel.ts';
import { listStockLocation } from '../../stock/listStockLocation.ts';
import { saveStockLocation } from '../../stock/saveStockLocation.ts';
import type { BundledProduct } from '../portable/record-labels.ts';
import { type AttributeRow, type Labelled, RecordLabels, type ReferenceLabels } from '../portable/record-labels.ts';
import type { WantedAttribute, WantedRecords } from './import-input.ts';

const LIST_LIMIT = 200;
const DEFAULT_LOCATION_NAME = 'Main warehouse';

/** The records that products refer to and that no import creates with them, by label. */
export type StoreIds = ReferenceLabels & {
  merchantId: string;
  locations: RecordLabels;
  /** The oldest stock location, to which the inventory column of Shopify's format refers. */
  defaultLocationId: string | undefined;
  /** True if the shop had no stock location when the import began. */
  isWithoutLocations: boolean;
  /** The base of the addresses of uploaded pictures. */
  publicUrl: string;
};

type Named = { id: string; name: string; createdAt?: number | null };

const selection = { id: {}, name: {}, createdAt: {} };
const attributeSelection = { ...selection, type: {}, tableTemplate: {}, options: { id: {}, name: {} } };

export async function readStoreIds(ctx: Context, publicUrl = ''): Promise<StoreIds> {
  const locations = await all((pagination) => listStockLocation(ctx, { pagination }, selection));
  return {
    merchantId: ctx.merchantId,
    publicUrl,
    priceLists: new RecordLabels(await all((pagination) => listPriceList(ctx, { pagination }, selection))),
    salesChannels: new RecordLabels(await all((pagination) => listSalesChannel(ctx, { pagination }, selection))),
    locations: new RecordLabels(locations),
    defaultLocationId: locations[0]?.id,
    isWithoutLocations: locations.length === 0,
    attributes: new RecordLabels(await readAttributes(ctx)),
    bundled: new Map<string, BundledProduct>(),
  };
}

/** The records as they are now, in an import that has created some. */
export async function rereadStoreIds(ctx: Context, { publicUrl, isWithoutLocations }: StoreIds): Promise<StoreIds> {
  return { ...(await readStoreIds(ctx, publicUrl)), isWithoutLocations };
}

async function readAttributes(ctx: Context): Promise<AttributeRow[]> {
  const rows = await all(
    async (pagination) =>
      (await listProductAttribute(ctx, { pagination }, attributeSelection)) as unknown as (AttributeRow & Named)[],
  );
  return rows.map(({ id, name, type, tableTemplate, options }) => ({
    id,
    name,
    type,
    tableTemplate: tableTemplate ?? null,
    options: options ?? [],
  }));
}

/** Creates the stock locations and attributes that the products name and the merchant lacks, and returns all ids. */
export async function createMissingRecords(
  ctx: Context,
  storeIds: StoreIds,
  wanted: readonly WantedRecords[],
): Promise<StoreIds> {
  const missing = missingLocations(storeIds, wanted);
  for (const label of missing)
    await saveStockLocation(ctx, { input: { name: label || DEFAULT_LOCATION_NAME } }, { id: {} });
  const changed = await saveAttributes(ctx, storeIds, mergedAttributes(wanted));
  return missing.length > 0 || changed ? await rereadStoreIds(ctx, storeIds) : storeIds;
}

/** In the order of the file, but the default location, which has an empty label, first: the oldest one is the default. */
function missingLocations(storeIds: StoreIds, wanted: readonly WantedRecords[]): string[] {
  const { locations, defaultLocationId, isWithoutLocations } = storeIds;
  const labels = wanted.flatMap((records) => [
    ...records.locations,
    ...(isWithoutLocations ? records.existingLocations : []),
  ]);
  const missing = [...new Set(labels)].filter((label) =>
    label === '' ? defaultLocationId === undefined : !locations.find(label),
  );
  const repeated = missing.find((label) => locations.isRepeated(label));
  if (repeated === undefined) return missing.toSorted((a, b) => Number(b === '') - Number(a === ''));
  const message = `several have the name ${JSON.stringify(repeated)}: write an id behind it, as exports do`;
  throw argumentInvalid([{ path: ['stockLocation'], message }]);
}

/** One entry for each name, with all options. */
function mergedAttributes(wanted: readonly WantedRecords[]): WantedAttribute[] {
  const byName = new Map<string, WantedAttribute & { known: Set<string> }>();
  for (const attribute of wanted.flatMap(({ attributes }) => attributes)) {
    const known = byName.get(attribute.name)?.known ?? new Set<string>();
    for (const option of attribute.options) known.add(option);
    byName.set(attribute.name, { ...attribute, known });
  }
  return [...byName.values()].map(({ known, ...attribute }) => ({ ...attribute, options: [...known] }));
}

/** Creates attributes, and adds options to those that exist. True if it wrote something. */
async function saveAttributes(ctx: Context, storeIds: StoreIds, wanted: WantedAttribute[]): Promise<boolean> {
  let isChanged = false;
  for (const { name, type, tableTemplate, options } of wanted) {
    const stored = storeIds.attributes.find(name);
    const known = new Set(stored?.options.map((option) => option.name));
    const added = options.filter((option) => !known.has(option)).map((option) => ({ name: option }));
    if (stored && added.length === 0) continue;
    const kept = (stored?.options ?? []).map(({ id, name }) => ({ id, name }));
    const input = {
      name,
      type: stored?.type ?? type,
      ...(stored ? { id: stored.id } : { tableTemplate }),
      options: [...kept, ...added],
    };
    await saveProductAttribute(ctx, { input: input as never }, { id: {} });
    isChanged = true;
  }
  return isChanged;
}

/** Reads all records of a list, page by page, oldest first. */
async function all<Row extends Labelled & Named>(list: (pagination: Pagination) => Promise<Row[]>): Promise<Row[]> {
  const found: Row[] = [];
  for (let page = 1; found.length === (page - 1) * LIST_LIMIT; page++)
    found.push(...(await list({ page, limit: LIST_LIMIT })));
  return found.sort((a, b) => a.createdAt! - b.createdAt! || (a.id < b.id ? -1 : 1));
}

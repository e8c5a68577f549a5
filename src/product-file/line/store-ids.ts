import { listProductAttribute } from '../../attribute/listProductAttribute.ts';
import type { Context } from '../../context.ts';
import type { Pagination } from '../../db/read/pagination.ts';
import { listPriceList } from '../../price-list/listPriceList.ts';
import { listSalesChannel } from '../../sales-channel/listSalesChannel.ts';
import { listStockLocation } from '../../stock/listStockLocation.ts';
import { type AttributeRow, type BundledProduct, type Labelled, RecordLabels } from './record-labels.ts';

const LIST_LIMIT = 200;

/** The records that products refer to and that no import creates with them, by label. */
export type StoreIds = {
  merchantId: string;
  priceLists: RecordLabels;
  salesChannels: RecordLabels;
  attributes: RecordLabels<AttributeRow>;
  /** The products in bundles, by id. */
  bundled: ReadonlyMap<string, BundledProduct>;
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

/** Reads all records of a list, page by page, oldest first. */
async function all<Row extends Labelled & Named>(list: (pagination: Pagination) => Promise<Row[]>): Promise<Row[]> {
  const found: Row[] = [];
  for (let page = 1; found.length === (page - 1) * LIST_LIMIT; page++)
    found.push(...(await list({ page, limit: LIST_LIMIT })));
  return found.sort((a, b) => a.createdAt! - b.createdAt! || (a.id < b.id ? -1 : 1));
}

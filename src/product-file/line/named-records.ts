import { listProductAttribute } from '../../attribute/listProductAttribute.ts';
import type { Context } from '../../context.ts';
import type { Pagination } from '../../db/read/pagination.ts';
import { normalizedName } from '../../values/text.ts';
import { listPriceList } from '../../price-list/listPriceList.ts';
import { automatedPaths, type IsAutomatedPath } from '../../product/checks/automated-paths.ts';
import { type StorablePrices, storablePricesOf } from '../../product/merge/storable-prices.ts';
import { listSalesChannel } from '../../sales-channel/listSalesChannel.ts';
import { listStockLocation } from '../../stock/listStockLocation.ts';

export type Labelled = { id: string; name: string };

const LIST_LIMIT = 200;
const ID_BEHIND_NAME = / \(([\da-f-]{36})\)$/;

/** Finds records to which products refer: the label of an id, and the record of a label. */
export class RecordLabels<Row extends Labelled = Labelled> {
  readonly #byName: ReadonlyMap<string, readonly Row[]>;
  readonly #byId: ReadonlyMap<string, Row>;

  constructor(rows: readonly Row[]) {
    this.#byName = Map.groupBy(rows, ({ name }) => normalizedName(name));
    this.#byId = new Map(rows.map((row) => [row.id, row]));
  }

  /** The labels of all records, in the order of the query that read them. */
  labels(): string[] {
    return Array.from(this.#byId.keys(), (id) => this.label(id)!);
  }

  /** The name, followed by the id if several records have the name. */
  label(id: string): string | undefined {
    const row = this.#byId.get(id);
    return row && this.isRepeated(row.name) ? `${row.name} (${id})` : row?.name;
  }

  get(id: string): Row | undefined {
    return this.#byId.get(id);
  }

  /** An id behind the name is enough: a file may be older than the last change of the names. */
  find(label: string): Row | undefined {
    const [row, ...others] = this.#byName.get(normalizedName(label)) ?? [];
    return row && others.length === 0 ? row : this.#byId.get(ID_BEHIND_NAME.exec(label)?.[1] ?? '');
  }

  /** The label as exports write it, of the record that is found by another one. */
  normalized(label: string): string | undefined {
    return this.label(this.find(label)?.id ?? '');
  }

  /** True for the name of several records, which is the label of none. */
  isRepeated(name: string): boolean {
    return (this.#byName.get(normalizedName(name))?.length ?? 0) > 1;
  }
}

export type AttributeRow = Labelled & { type: string; tableTemplate: object | null; options: Labelled[] };

/** `byFileKey`: the variants by the keys that a file may have for them. */
export type BundledProduct = {
  id: string;
  handle: string;
  variants: BundledVariant[];
  byFileKey: ReadonlyMap<string, BundledVariant>;
};

/** The ids of products by handle; undefined for those that the merchant does not have. */
export type ProductIds = ReadonlyMap<string, string | undefined>;

/** `identity`: what its key would be without a source id. */
export type BundledVariant = { id: string; key: string; identity: string };

/** The records that products refer to and that no import creates with them, by label. */
export type NamedRecords = {
  merchantId: string;
  priceLists: RecordLabels;
  salesChannels: RecordLabels;
  attributes: RecordLabels<AttributeRow>;
  /** The products in bundles, by id. */
  bundled: ReadonlyMap<string, BundledProduct>;
  /** The ids of the products that the bundles of a file name, by handle. */
  bundledIds: ProductIds;
  /** The prices of a variant as a save stores them. */
  storablePrices: StorablePrices;
  isAutomatedPath: IsAutomatedPath;
  locations: RecordLabels;
  /** The oldest stock location, to which the inventory column of Shopify's format refers. */
  defaultLocationId: string | undefined;
  /** True if the shop had no stock location when the import began. */
  isWithoutLocations: boolean;
  /** The base of the addresses of uploaded pictures. */
  publicUrl: string;
};

/** The lists of labels of a line, and the lists of ids that they stand for. */
export const LABEL_LISTS = [
  { list: 'dynamicPriceLists', ids: 'dynamicPriceListIds', kind: 'priceLists' },
  { list: 'salesChannels', ids: 'salesChannelIds', kind: 'salesChannels' },
  { list: 'hiddenSalesChannels', ids: 'hiddenSalesChannelIds', kind: 'salesChannels' },
] as const;
export type LabelList = (typeof LABEL_LISTS)[number]['list'];

type Named = { id: string; name: string; createdAt?: number | null };

const selection = { id: {}, name: {}, createdAt: {} };
const attributeSelection = { ...selection, type: {}, tableTemplate: {}, options: { id: {}, name: {} } };

export async function readNamedRecords(ctx: Context, publicUrl = ''): Promise<NamedRecords> {
  const locations = await all((pagination) => listStockLocation(ctx, { pagination }, selection));
  const priceLists = await all((pagination) => listPriceList(ctx, { pagination }, selection));
  return {
    merchantId: ctx.merchantId,
    publicUrl,
    priceLists: new RecordLabels(priceLists),
    storablePrices: await storablePricesOf(
      ctx,
      priceLists.map(({ id }) => id),
    ),
    isAutomatedPath: await automatedPaths(ctx),
    salesChannels: new RecordLabels(await all((pagination) => listSalesChannel(ctx, { pagination }, selection))),
    locations: new RecordLabels(locations),
    defaultLocationId: locations[0]?.id,
    isWithoutLocations: locations.length === 0,
    attributes: new RecordLabels(await readAttributes(ctx)),
    bundled: new Map<string, BundledProduct>(),
    bundledIds: new Map<string, string>(),
  };
}

/** The records as they are now, in an import that has created some. */
export async function rereadNamedRecords(
  ctx: Context,
  { publicUrl, isWithoutLocations }: NamedRecords,
): Promise<NamedRecords> {
  return { ...(await readNamedRecords(ctx, publicUrl)), isWithoutLocations };
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

import type { Query } from './play.ts';
import { WITH_PAGE } from './named.ts';
import { comparableVariant } from './product.ts';
import { type Hold, type Kind, KINDS, type NamedRecord, type Product, type Variant, type Webhook } from './state.ts';
import type { shownMovements } from './stock.ts';

const LISTS: Record<Kind, string> = {
  tag: 'listProductTag',
  brand: 'listProductBrand',
  category: 'listCategory',
  channel: 'listSalesChannel',
  location: 'listStockLocation',
  priceList: 'listPriceList',
  attribute: 'listProductAttribute',
  variantType: 'listVariantType',
};
const MEMBERS = {
  ...Object.fromEntries(Object.values(LISTS).map((operation) => [operation, 'id name deleted'])),
  listStockLocation: 'id name deleted allowsNegativeStock',
  ...Object.fromEntries(WITH_PAGE.map((kind) => [LISTS[kind], 'id name deleted metaData { slug }'])),
  listCustomer: 'data { id firstName lastName email deleted }',
  listProduct: `data { id name sourceId vendorId maxQuantityPerCart brandId tagIds categoryIds salesChannelIds
    hiddenSalesChannelIds deleted version totalStock metaData { slug } variants { id sku isActive sellIfOutOfStock
    availableCount prices { sellPrice discountPrice priceListId } } }`,
  listProductStockLocation: 'data { productId variantId stockLocationId stockCount heldCount availableCount }',
  listStockMovement: 'data { productId variantId stockLocationId kind delta key reference sequence countAfter }',
  listStockHold: 'data { id variantId stockLocationId quantity key reference status expiresAt }',
  listWebhook: 'id scope endpoint',
  listErasure: 'data { customerIds }',
  listChange: 'data { createdAt changeSet { id revertsChangeSetId } }',
};
const HAS_DELETED = [...Object.values(LISTS), 'listCustomer', 'listProduct'];

/** The operations of the request that reads everything. */
export const READ_OPERATIONS = Object.keys(MEMBERS);

const QUERY = `{ ${Object.entries(MEMBERS)
  .map(([operation, members]) => {
    const deleted = HAS_DELETED.includes(operation) ? 'includeDeleted: true, ' : '';
    const limit = operation === 'listChange' ? 1 : 200;
    return `${operation}(${deleted}pagination: { limit: ${limit} }) { ${members} }`;
  })
  .join('\n')} }`;

type List<T> = { data: T[] };
type Page = { metaData: { slug: string } };
type Nullable<T> = { [K in keyof T]: T[K] extends unknown[] ? T[K] | null : T[K] };
type Listed = Record<string, (NamedRecord & Page)[]> & {
  listCustomer: List<object>;
  listProduct: List<Omit<Nullable<Product>, 'variants'> & Page & Sums>;
  listProductStockLocation: List<object>;
  listStockMovement: List<ReturnType<typeof shownMovements>[number]>;
  listStockHold: List<Hold>;
  listWebhook: Webhook[];
  listErasure: List<{ customerIds: string[] }>;
  listChange: List<Newest>;
};
/** The newest change. */
export type Newest = { createdAt: number; changeSet: { id: string; revertsChangeSetId: string | null } };

type Sums = { totalStock: number; variants: (Variant & { availableCount: number })[] | null };

/** What the service lists, in the shape of `shownOf`: the oldest first. */
export async function readState(query: Query) {
  const { data, errors } = await query(QUERY);
  if (errors) throw new Error(JSON.stringify(errors));
  const listed = data as Listed;
  const withPages = [...WITH_PAGE.flatMap((kind) => listed[LISTS[kind]]!), ...listed.listProduct.data];
  const stored = {
    named: Object.fromEntries(KINDS.map((kind) => [kind, listed[LISTS[kind]]!.map(namedOf).toReversed()])),
    slugs: Object.fromEntries(withPages.map(({ id, metaData }) => [id, metaData.slug])),
    customers: listed.listCustomer.data.toReversed(),
    products: listed.listProduct.data.map(productOf).toReversed(),
    sums: Object.fromEntries(
      listed.listProduct.data.flatMap(({ id, totalStock, variants }) => [
        [id, totalStock] as const,
        ...variants!.map((one) => [one.id, one.availableCount] as const),
      ]),
    ),
    stocks: texts(listed.listProductStockLocation.data),
    movements: texts(listed.listStockMovement.data.map(movementOf)),
    holds: texts(listed.listStockHold.data.map(holdOf)),
    erasures: listed.listErasure.data.map(({ customerIds }) => customerIds.join()).toSorted(),
    webhooks: texts(listed.listWebhook),
  };
  return { stored, newest: listed.listChange.data[0] };
}

/** The members of a movement that the model knows. */
export function movementOf(one: ReturnType<typeof shownMovements>[number]): object {
  const { productId, variantId, stockLocationId, kind, delta, key, reference, sequence, countAfter } = one;
  return { productId, variantId, stockLocationId, kind, delta, key, reference, sequence, countAfter };
}

export function holdOf({ id, variantId, stockLocationId, quantity, key, reference, status, expiresAt }: Hold): object {
  return { id, variantId, stockLocationId, quantity, key, reference, status, expiresAt };
}

/** Of a list that has no order. */
export function texts(list: readonly object[]): string[] {
  return list.map((one) => JSON.stringify(one)).toSorted();
}

function namedOf({ id, name, deleted, allowsNegativeStock }: Partial<NamedRecord>): object {
  return { id, name, deleted, allowsNegativeStock: allowsNegativeStock ?? false };
}

export function productOf(one: Omit<Nullable<Product>, 'variants'> & Pick<Sums, 'variants'>) {
  return {
    id: one.id,
    name: one.name,
    sourceId: one.sourceId,
    vendorId: one.vendorId,
    maxQuantityPerCart: one.maxQuantityPerCart,
    brandId: one.brandId,
    tagIds: one.tagIds ?? [],
    categoryIds: one.categoryIds ?? [],
    salesChannelIds: one.salesChannelIds ?? [],
    hiddenSalesChannelIds: one.hiddenSalesChannelIds ?? [],
    deleted: one.deleted,
    variants: one.variants!.map(({ id, sku, isActive, sellIfOutOfStock, prices }) =>
      comparableVariant({
        id,
        sku,
        isActive,
        sellIfOutOfStock,
        deleted: false,
        prices: prices.map(({ sellPrice, discountPrice, priceListId }) => ({ sellPrice, discountPrice, priceListId })),
      }),
    ),
    version: one.version,
  };
}

import type { Send } from './play.ts';
import { WITH_PAGE } from './named.ts';
import { comparableVariant } from './product.ts';
import { type Kind, KINDS, type NamedRecord, type Product, type StockCount, type Webhook } from './state.ts';

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
const ALL = { includeDeleted: true, pagination: { limit: 200 } };

type List<T> = { data: T[] };
type Page = { metaData: { slug: string } };
type Nullable<T> = { [K in keyof T]: T[K] extends unknown[] ? T[K] | null : T[K] };

/** What the service lists, in the shape of `shownOf`: the oldest first. */
export async function readState(send: Send): Promise<object> {
  const list = async <T>(operation: string, variables: object = ALL): Promise<T> => {
    const { data, errors } = await send(operation, variables);
    if (errors) throw new Error(`${operation}: ${JSON.stringify(errors)}`);
    return data![operation] as T;
  };
  const named = Object.fromEntries(
    await Promise.all(KINDS.map(async (kind) => [kind, await list<(NamedRecord & Page)[]>(LISTS[kind])] as const)),
  ) as Record<Kind, (NamedRecord & Page)[]>;
  const [customers, products, stocks, webhooks, erasures] = await Promise.all([
    list<List<Record<string, unknown>>>('listCustomer'),
    list<List<Nullable<Product> & Page>>('listProduct'),
    list<List<StockCount>>('listProductStockLocation', { pagination: { limit: 200 } }),
    list<Webhook[]>('listWebhook', { pagination: { limit: 200 } }),
    list<List<{ customerIds: string[] }>>('listErasure', { pagination: { limit: 200 } }),
  ]);
  return {
    named: Object.fromEntries(KINDS.map((kind) => [kind, named[kind].map(namedOf).toReversed()])),
    slugs: Object.fromEntries(
      [...WITH_PAGE.flatMap((kind) => named[kind]), ...products.data].map(({ id, metaData }) => [id, metaData.slug]),
    ),
    customers: customers.data
      .map(({ id, firstName, lastName, email, deleted }) => ({ id, firstName, lastName, email, deleted }))
      .toReversed(),
    products: products.data.map(productOf).toReversed(),
    stocks: stocks.data
      .map(({ productId, variantId, stockLocationId, stockCount }) =>
        JSON.stringify({ productId, variantId, stockLocationId, stockCount }),
      )
      .toSorted(),
    erasures: erasures.data.map(({ customerIds }) => customerIds.join()).toSorted(),
    webhooks: webhooks.map(({ id, scope, endpoint }) => JSON.stringify({ id, scope, endpoint })).toSorted(),
  };
}

function namedOf({ id, name, deleted }: { id: string; name: string; deleted: boolean }) {
  return { id, name, deleted };
}

function productOf(one: Nullable<Product>): object {
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
    variants: one.variants!.map(({ id, sku, isActive, prices }) =>
      comparableVariant({
        id,
        sku,
        isActive,
        deleted: false,
        prices: prices.map(({ sellPrice, discountPrice, priceListId }) => ({ sellPrice, discountPrice, priceListId })),
      }),
    ),
    version: one.version,
  };
}

import type { Send } from './play.ts';
import { comparableVariant } from './product.ts';
import { type Kind, KINDS, type Product, type StockCount } from './state.ts';

const LISTS: Record<Kind, string> = {
  tag: 'listProductTag',
  brand: 'listProductBrand',
  category: 'listCategory',
  channel: 'listSalesChannel',
  location: 'listStockLocation',
  priceList: 'listPriceList',
};
const ALL = { includeDeleted: true, pagination: { limit: 200 } };

type Page<T> = { data: T[] };
type Nullable<T> = { [K in keyof T]: T[K] extends unknown[] ? T[K] | null : T[K] };

/** What the service lists, in the shape of `shownOf`: the oldest first. */
export async function readState(send: Send): Promise<object> {
  const list = async <T>(operation: string, variables: object = ALL): Promise<T> => {
    const { data, errors } = await send(operation, variables);
    if (errors) throw new Error(`${operation}: ${JSON.stringify(errors)}`);
    return data![operation] as T;
  };
  const named = Object.fromEntries(
    await Promise.all(
      KINDS.map(async (kind) => [kind, (await list<Product[]>(LISTS[kind])).map(namedOf).toReversed()] as const),
    ),
  );
  const [customers, products, stocks, erasures] = await Promise.all([
    list<Page<Record<string, unknown>>>('listCustomer'),
    list<Page<Nullable<Product>>>('listProduct'),
    list<Page<StockCount>>('listProductStockLocation', { pagination: { limit: 200 } }),
    list<Page<{ customerIds: string[] }>>('listErasure', { pagination: { limit: 200 } }),
  ]);
  return {
    named,
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

import { categoryProduct } from '../../drizzle/category-product.ts';
import { product } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import { isOneId } from '../db/filter/filter.ts';
import { isId } from '../db/sql/id.ts';
import { type ListRequest, type Page, readPage } from '../db/read/read-page.ts';
import type { Selection } from '../db/read/projection.ts';
import { instantKey, nameKey, newestFirst, order, SORT_DEFAULT } from '../db/read/sort.ts';
import type { Product, QueryListProductArgs } from '../graphql/generated/types.ts';
import { membersOf } from './filter/category-filter.ts';
import { type ProductConditions, productFilters } from './filter/product-filters.ts';
import { resolveConditions } from './filter/resolve-conditions.ts';
import { listProductsAsOf } from './list-products-as-of.ts';
import { shownProduct } from './product.ts';

const sortKeys = {
  createdAt: instantKey(product.createdAt),
  updatedAt: instantKey(product.updatedAt),
  name: nameKey(product.name),
};

/** Filters of skewed columns: one id can match a single product or most of a merchant's products. */
const SKEWED_FILTERS = [
  'attributeId',
  'bundleProductsProductId',
  'categoryIds',
  'price',
  'salesChannelIds',
  'stock',
  'tagIds',
  'type',
  'variantStockLocationId',
  'variantTypeId',
] as const;

export async function listProduct(
  ctx: Context,
  sent: QueryListProductArgs,
  selection: Selection,
): Promise<Page<Product>> {
  if (sent.asOf != null) return await listProductsAsOf(ctx, sent, selection, filtered(sent));
  const args = await resolveConditions(ctx, sent, []);
  const categoryId = onlyCategory(args);
  return await readPage(ctx, shownProduct(ctx), {
    selection,
    pagination: args.pagination,
    ...(categoryId === null ? filtered(args) : inCategory(categoryId)),
  });
}

type RowSource = Pick<ListRequest<typeof product>, 'order' | 'where' | 'index' | 'isSingle' | 'isPlannedForValues'>;

function filtered(args: QueryListProductArgs): RowSource {
  return {
    order: order(args.sort, sortKeys),
    where: (row, scope) => productFilters(row, scope, args),
    isSingle: isOneId(args.id),
    isPlannedForValues: isSkewed(args),
  };
}

/**
 * Statements with these filters get a custom plan, which costs 1 ms of planning. Measured with 100,000 products in a
 * database of mostly small merchants, custom against generic plan: a tag of 50,000 products takes 1.5 ms against 150
 * ms, 50 recently changed products 3 ms against 160 ms.
 */
function isSkewed(args: ProductConditions): boolean {
  const members = [args.brandId?.in, args.updatedAt?.gt, args.updatedAt?.gte, ...Object.values(args.createdAt ?? {})];
  return (
    members.some((member) => member != null) ||
    SKEWED_FILTERS.some((name) => args[name] != null) ||
    hasNullCondition(args)
  );
}

/**
 * Whether a filter uses `isNull`. Such a statement is planned for its values, because few or most of a merchant's
 * products may be without a value.
 */
function hasNullCondition(args: ProductConditions): boolean {
  const filters: ({ isNull?: boolean | null } | null | undefined)[] = [
    args.barcodeList,
    args.brandId,
    args.sku,
    args.vendorId,
    args.sourceId,
    args.variantSourceId,
  ];
  return filters.some((filter) => typeof filter?.isNull === 'boolean');
}

/** The category's id if it is the only filter and the order is newest first; else null. */
function onlyCategory(args: QueryListProductArgs): string | null {
  const { categoryIds, sort, includeDeleted } = args;
  if (categoryIds == null) return null;
  const { eq, in: anyOf, ...otherOperators } = categoryIds;
  const others = { ...args, ...otherOperators, categoryIds: null, pagination: null, sort: null, includeDeleted: null };
  const isAlone = Object.values(others).every((value) => value == null);
  const ids = [...(typeof eq === 'string' ? [eq] : []), ...(anyOf ?? [])];
  return isAlone && !includeDeleted && (sort ?? SORT_DEFAULT) === SORT_DEFAULT && ids.length === 1 && isId(ids[0]!)
    ? ids[0]!
    : null;
}

/** Reads from `category_product`, whose index has the products of a category in this order. */
function inCategory(categoryId: string): RowSource {
  return {
    order: newestFirst(categoryProduct),
    index: { table: categoryProduct, id: categoryProduct.productId },
    where: (_, scope) => membersOf(scope, categoryId),
  };
}

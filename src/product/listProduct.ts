import { sql } from 'drizzle-orm';
import { categoryProduct } from '../../drizzle/category-product.ts';
import { product } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import { isId } from '../db/sql/id.ts';
import { type ListRequest, type Page, readPage } from '../db/read/read.ts';
import type { Selection } from '../db/read/projection.ts';
import { instantKey, nameKey, newestFirst, order, SORT_DEFAULT } from '../db/read/sort.ts';
import type { Product, QueryListProductArgs } from '../graphql/generated/types.ts';
import { productFilters } from './product-filters.ts';
import { productShape } from './product.ts';

const sortKeys = {
  createdAt: instantKey(product.createdAt),
  updatedAt: instantKey(product.updatedAt),
  name: nameKey(product.name),
};

/** Filters that one product or most of the shop can meet, depending on the id. */
const SKEWED = [
  'attributeId',
  'bundleProductsProductId',
  'categoryIds',
  'salesChannelIds',
  'tagIds',
  'variantStockLocationId',
  'variantTypeId',
] as const;

export async function listProduct(
  ctx: Context,
  args: QueryListProductArgs,
  selection: Selection,
): Promise<Page<Product>> {
  const categoryId = onlyCategory(args);
  return await readPage(ctx, productShape, {
    selection,
    pagination: args.pagination,
    ...(categoryId === null ? filtered(args) : inCategory(categoryId)),
  });
}

type Rows = Pick<ListRequest<typeof product>, 'order' | 'where' | 'index' | 'isPlannedForValues'>;

function filtered(args: QueryListProductArgs): Rows {
  return {
    order: order(args.sort, sortKeys),
    where: (row, scope) => productFilters(row, scope, args),
    isPlannedForValues: isSkewed(args),
  };
}

/**
 * Statements with these filters are planned for their values, which takes 1 ms each time. Measured: 50,000 of 100,000 products with
 * a tag take 1.5 ms so, and 150 with one plan for all tags, where most shops are small; 50 that changed lately 3 and 160 ms.
 */
function isSkewed(args: QueryListProductArgs): boolean {
  const { gt, gte } = args.updatedAt ?? {};
  return gt != null || gte != null || SKEWED.some((name) => args[name] != null);
}

/** The category, where nothing else is asked of the products and they are listed newest first. */
function onlyCategory(args: QueryListProductArgs): string | null {
  const { categoryIds, sort, includeDeleted } = args;
  const { eq, in: among, ...further } = categoryIds ?? {};
  const others = { ...args, ...further, categoryIds: null, pagination: null, sort: null, includeDeleted: null };
  const isAlone = Object.values(others).every((value) => value == null);
  const ids = [...(typeof eq === 'string' ? [eq] : []), ...(among ?? [])];
  return isAlone && !includeDeleted && (sort ?? SORT_DEFAULT) === SORT_DEFAULT && ids.length === 1 && isId(ids[0]!)
    ? ids[0]!
    : null;
}

/** From the table that has the products of a category in this order. */
function inCategory(categoryId: string): Rows {
  return {
    order: newestFirst(categoryProduct),
    index: { table: categoryProduct, id: categoryProduct.productId },
    where: () => [sql`${categoryProduct.categoryId} = ${categoryId}::uuid`],
  };
}

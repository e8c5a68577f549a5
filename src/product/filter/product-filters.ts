import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../context.ts';
import { dateFilter, idFilter, nameFilter, notDeleted, nullCondition, textFilter } from '../../db/filter/filter.ts';
import { idArrayMatcher, listFilter } from '../../db/filter/list-filter.ts';
import type { SqlScope } from '../../db/read/projection.ts';
import type { InputPath } from '../../errors.ts';
import { normalizedName } from '../../values/text.ts';
import type { ProductTypeEnum, ProductTypeFilterInput, QueryListProductArgs } from '../../graphql/generated/types.ts';
import { type AttributeFilter, attributeFilter, withFrequency } from './attribute-filter.ts';
import { categoryFilter } from './category-filter.ts';
import { type CategoryFilter, withSubcategories } from './category-tree.ts';
import { withoutComputingList } from './computing-list.ts';
import { priceFilter } from './price-filter.ts';
import type { ProductRow } from './row-filter.ts';
import { slugFilter } from './slug-filter.ts';
import { locationFilter, stockFilter } from './stock-filter.ts';
import { barcodes, idsIn, skus, sourceIds, textSearch, variantFilter } from './variant-filter.ts';

/** The conditions of listProduct. Those of searchProducts are some of them. */
export type ProductConditions = Omit<
  QueryListProductArgs,
  'asOf' | 'attributeId' | 'categoryIds' | 'pagination' | 'sort'
> & {
  attributeId?: AttributeFilter | null;
  categoryIds?: CategoryFilter | null;
};

type SentConditions = Pick<QueryListProductArgs, 'attributeId' | 'categoryIds' | 'price'>;

type FilterName = Exclude<keyof ProductConditions, 'includeDeleted'>;
type Filtered = { readonly row: ProductRow; readonly scope: SqlScope; readonly given: ProductConditions };
type Filters = {
  readonly [Name in FilterName]-?: (filtered: Filtered, filter: NonNullable<ProductConditions[Name]>) => SQL[];
};

/** The conditions of each filter, in the order in which statements have them. */
const FILTERS: Filters = {
  id: ({ row }, filter) => idFilter(row.id, filter),
  name: ({ row }, filter) => nameFilter(row.name, filter),
  slug: ({ row, scope }, filter) => slugFilter(row, scope, filter),
  type: ({ row }, filter) => typeFilter(row, filter),
  brandId: ({ row, scope }, filter) => idFilter(row.brandId, filter, scope.tenant.isLiteral),
  vendorId: ({ row }, filter) => textFilter(row.vendorId, filter),
  sourceId: ({ row }, filter) => textFilter(row.sourceId, filter),
  createdAt: ({ row, scope }, filter) => dateFilter(row.createdAt, filter, scope.tenant.isLiteral),
  updatedAt: ({ row, scope }, filter) => dateFilter(row.updatedAt, filter, scope.tenant.isLiteral),
  categoryIds: ({ row, scope, given }, filter) => categoryFilter(row, scope, filter, given.includeDeleted === true),
  tagIds: ({ row }, filter) => listFilter(idArrayMatcher(row.tagIds), filter),
  salesChannelIds: ({ row }, filter) => listFilter(idArrayMatcher(row.salesChannelIds), filter),
  attributeId: ({ row, scope }, filter) => attributeFilter(row, scope, filter),
  sku: ({ row, scope }, filter) => variantFilter(row, scope, filter, skus),
  barcodeList: ({ row, scope }, filter) => variantFilter(row, scope, filter, barcodes),
  variantSourceId: ({ row, scope }, filter) => variantFilter(row, scope, filter, sourceIds),
  price: ({ row, scope }, filter) => priceFilter(row, scope, filter),
  variantStockLocationId: ({ row, scope }, filter) => locationFilter(row, scope, filter),
  stock: ({ row, scope }, filter) => stockFilter(row, scope, filter),
  variantTypeId: ({ row, scope }, filter) => variantFilter(row, scope, filter, idsIn('variantTypeIds')),
  bundleProductsProductId: ({ row, scope }, filter) => variantFilter(row, scope, filter, idsIn('bundleProductIds')),
  search: ({ row, scope }, text) => [textSearch(row, scope, normalizedName(text))],
};
const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];

/**
 * Adds to the conditions what they depend on in the database: the subcategories of categories, whether attributes are
 * frequent, and whether a price list computes its prices. `path` is the place of the conditions in the arguments.
 */
export async function resolveConditions<Sent extends SentConditions>(
  ctx: Context,
  sent: Sent,
  path: InputPath,
): Promise<Sent & Pick<ProductConditions, 'attributeId' | 'categoryIds' | 'price'>> {
  if (sent.categoryIds == null && sent.attributeId == null && sent.price == null)
    return sent as Sent & { attributeId?: null };
  return {
    ...sent,
    categoryIds: await withSubcategories(ctx, sent.categoryIds, [...path, 'categoryIds']),
    attributeId: await withFrequency(ctx, sent.attributeId),
    price: await withoutComputingList(ctx, sent.price),
  };
}

/** The conditions as SQL on a product's row. A filter that was not sent costs nothing. */
export function productFilters(row: ProductRow, scope: SqlScope, given: ProductConditions): SQL[] {
  const filtered = { row, scope, given };
  const conditions = notDeleted(row.deleted, given.includeDeleted);
  for (const name of FILTER_NAMES) {
    const filter = given[name];
    if (filter != null) conditions.push(...FILTERS[name](filtered, filter as never));
  }
  return conditions;
}

/** The types are literals, so that the plan knows whether a type is rare. GraphQL accepts no other texts. */
function typeFilter(row: ProductRow, filter: ProductTypeFilterInput): SQL[] {
  const { eq, ne, in: anyOf, nin: noneOf } = filter;
  const types = (values: readonly ProductTypeEnum[]): SQL => sql.raw(`'{${values.join(',')}}'::text[]`);
  const isOne = (type: ProductTypeEnum): SQL => sql`${row.type} = ${sql.raw(`'${type}'`)}`;
  return [
    ...(eq ? [isOne(eq)] : []),
    ...(ne ? [sql`not ${isOne(ne)}`] : []),
    ...(anyOf ? [sql`${row.type} = any(${types(anyOf)})`] : []),
    ...(noneOf ? [sql`${row.type} <> all(${types(noneOf)})`] : []),
    ...nullCondition(sql`false`, filter),
  ];
}

import { type SQL, sql } from 'drizzle-orm';
import { dateFilter, idFilter, nameFilter, notDeleted, nullCondition, textFilter } from '../../db/filter/filter.ts';
import { idArrayMatcher, listFilter } from '../../db/filter/list-filter.ts';
import type { SqlScope } from '../../db/read/projection.ts';
import { normalizedName } from '../../field-input.ts';
import type { ProductTypeEnum, ProductTypeFilterInput, QueryListProductArgs } from '../../graphql/generated/types.ts';
import { type AttributeFilter, attributeFilter } from './attribute-filter.ts';
import { categoryFilter } from './category-filter.ts';
import { priceFilter } from './price-filter.ts';
import type { ProductRow } from './row-filter.ts';
import { locationFilter, stockFilter } from './stock-filter.ts';
import { barcodes, idsIn, skus, sourceIds, textSearch, variantFilter } from './variant-filter.ts';

/** The conditions of listProduct. Those of searchProducts are some of them. */
export type ProductConditions = Omit<QueryListProductArgs, 'attributeId' | 'pagination' | 'sort'> & {
  attributeId?: AttributeFilter | null;
};

/** The conditions as SQL on a product's row. */
export function productFilters(row: ProductRow, scope: SqlScope, given: ProductConditions): SQL[] {
  const { isLiteral } = scope.tenant;
  return [
    ...notDeleted(row.deleted, given.includeDeleted),
    ...idFilter(row.id, given.id),
    ...nameFilter(row.name, given.name),
    ...typeFilter(row, given.type),
    ...idFilter(row.brandId, given.brandId, isLiteral),
    ...textFilter(row.vendorId, given.vendorId),
    ...textFilter(row.sourceId, given.sourceId),
    ...dateFilter(row.createdAt, given.createdAt, 'createdAt', isLiteral),
    ...dateFilter(row.updatedAt, given.updatedAt, 'updatedAt', isLiteral),
    ...categoryFilter(row, scope, given.categoryIds, given.includeDeleted === true),
    ...listFilter(idArrayMatcher(row.tagIds), given.tagIds),
    ...listFilter(idArrayMatcher(row.salesChannelIds), given.salesChannelIds),
    ...attributeFilter(row, scope, given.attributeId),
    ...variantFilter(row, scope, given.sku, skus),
    ...variantFilter(row, scope, given.barcodeList, barcodes),
    ...variantFilter(row, scope, given.variantSourceId, sourceIds),
    ...priceFilter(row, scope, given.price),
    ...locationFilter(row, scope, given.variantStockLocationId),
    ...stockFilter(row, scope, given.stock),
    ...variantFilter(row, scope, given.variantTypeId, idsIn('variantTypeIds')),
    ...variantFilter(row, scope, given.bundleProductsProductId, idsIn('bundleProductIds')),
    ...(typeof given.search === 'string' ? [textSearch(row, scope, normalizedName(given.search))] : []),
  ];
}

/** The types are literals, so that the plan knows whether a type is rare. GraphQL accepts no other texts. */
function typeFilter(row: ProductRow, filter: ProductTypeFilterInput | null | undefined): SQL[] {
  const { eq, ne, in: anyOf, nin: noneOf } = filter ?? {};
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

import { type SQL, sql } from 'drizzle-orm';
import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import { type product, variant } from '../../drizzle/product.ts';
import { stockLocation } from '../../drizzle/stock.ts';
import {
  dateFilter,
  idFilter,
  idLiteralMatcher,
  matches,
  nameFilter,
  nullCondition,
  notDeleted,
  positiveConditions,
  type StringFilter,
  textArrayMatcher,
  textFilter,
  textMatcher,
} from '../db/read/filter.ts';
import { hasElement, idArrayMatcher, idTextArrayMatcher, listFilter, splitFilter } from '../db/read/list-filter.ts';
import { exists } from '../db/read/relations.ts';
import { aliased, type SqlScope } from '../db/read/projection.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { normalizedName } from '../field-input.ts';
import type { QueryListProductArgs } from '../graphql/generated/types.ts';
import { categoryFilter } from './membership/category-filter.ts';

type ProductRow = typeof product;
type VariantRow = typeof variant;
type Filter = StringFilter | null | undefined;

/** The filters of listProduct as SQL conditions on a product's row. */
export function productFilters(row: ProductRow, scope: SqlScope, args: QueryListProductArgs): SQL[] {
  return [
    ...notDeleted(row.deleted, args.includeDeleted),
    ...idFilter(row.id, args.id),
    ...nameFilter(row.name, args.name),
    ...idFilter(row.brandId, args.brandId),
    ...textFilter(row.vendorId, args.vendorId),
    ...textFilter(row.sourceId, args.sourceId),
    ...dateFilter(row.updatedAt, args.updatedAt, 'updatedAt', scope.tenant.isLiteral),
    ...categoryFilter(row, scope, args.categoryIds, args.includeDeleted === true),
    ...listFilter(idArrayMatcher(row.tagIds), args.tagIds),
    ...listFilter(idArrayMatcher(row.salesChannelIds), args.salesChannelIds),
    ...attributeFilter(row, scope, args.attributeId),
    ...variantFilter(row, scope, args.sku, skus),
    ...variantFilter(row, scope, args.barcodeList, barcodes),
    ...variantFilter(row, scope, args.variantSourceId, sourceIds),
    ...locationFilter(row, scope, args.variantStockLocationId),
    ...variantFilter(row, scope, args.variantTypeId, idsIn('variantTypeIds')),
    ...variantFilter(row, scope, args.bundleProductsProductId, idsIn('bundleProductIds')),
    ...(typeof args.search === 'string' ? [search(row, scope, normalizedName(args.search))] : []),
  ];
}

/** A filter on rows that belong to the product: at least one row matches, and no row has an excluded value. */
function rowFilter(filter: Filter, hasRow: (wanted: StringFilter) => SQL): SQL[] {
  const { wanted, unwanted } = splitFilter(filter);
  return [...(wanted ? [hasRow(wanted)] : []), ...(unwanted ? [sql`not ${hasRow({ in: unwanted })}`] : [])];
}

/** The conditions of a filter on one variant. `isRare`: an index finds the few variants that meet it. */
type VariantMatcher = {
  where: (variant: VariantRow, wanted: StringFilter) => SQL[];
  isMissing: (variant: VariantRow) => SQL;
  isRare?: (wanted: StringFilter) => boolean;
};

const skus: VariantMatcher = {
  where: (variant, wanted) => positiveConditions(textMatcher(variant.sku), wanted),
  isMissing: (variant) => sql`${variant.sku} is null`,
};

/** No index finds a part of a barcode, so that search scans from the newest product. */
const barcodes: VariantMatcher = {
  where: (variant, wanted) => positiveConditions(textArrayMatcher(variant.barcodeList), wanted),
  isMissing: (variant) => sql`${variant.barcodeList} = '{}'`,
  isRare: isExact,
};

const sourceIds: VariantMatcher = {
  where: (variant, wanted) => positiveConditions(textMatcher(variant.sourceId), wanted),
  isMissing: (variant) => sql`${variant.sourceId} is null`,
  isRare: isExact,
};

/** Whether the filter compares whole values with `eq` or `in`. */
function isExact({ eq, in: anyOf }: StringFilter): boolean {
  return eq != null || anyOf != null;
}

function idsIn(column: 'variantTypeIds' | 'bundleProductIds'): VariantMatcher {
  return {
    where: (variant, wanted) => [hasElement(idTextArrayMatcher(variant[column]), wanted)],
    isMissing: (variant) => idTextArrayMatcher(variant[column]).isEmpty,
  };
}

function variantFilter(row: ProductRow, scope: SqlScope, filter: Filter, matcher: VariantMatcher): SQL[] {
  if (!filter) return [];
  const { where, isMissing, isRare } = matcher;
  const hasMatch = (wanted: StringFilter): SQL =>
    (isRare?.(wanted) ? hasRareVariant : hasVariant)(row, scope, (variant) => where(variant, wanted));
  const hasValue = hasVariant(row, scope, (variant) => [sql`not (${isMissing(variant)})`]);
  const hasNone = hasVariant(row, scope, (variant) => [isMissing(variant)]);
  return [...rowFilter(filter, hasMatch), ...valueCondition(filter, hasValue, hasNone)];
}

/**
 * The condition of `isNull`: false asks for products with a value in any variant; true for those with a variant, but
 * none with a value. `hasNone` follows from it and lets Postgres begin with the variants that have no value, which an
 * index finds, instead of looking at the variants of each product.
 */
function valueCondition(filter: Filter, hasValue: SQL, hasNone: SQL): SQL[] {
  if (typeof filter?.isNull !== 'boolean') return [];
  return filter.isNull ? [hasNone, sql`not ${hasValue}`] : [hasValue];
}

function hasVariant(row: ProductRow, scope: SqlScope, where: (variant: VariantRow) => SQL[]): SQL {
  return exists(scope, variant, (variant) => [
    sql`${variant.productId} = ${row.id}`,
    ...isNotDeleted(variant),
    ...where(variant),
  ]);
}

/**
 * Like `hasVariant`, for conditions that few variants meet: these variants are read first. For nearly unique values
 * such as barcodes Postgres expects one row in two hundred to match and would scan from the newest product: 500 ms in
 * 100,000 products.
 */
function hasRareVariant(row: ProductRow, scope: SqlScope, where: (variant: VariantRow) => SQL[]): SQL {
  const { row: part, from } = aliased(scope, variant);
  const conditions = [ownedBy(scope.tenant, part), ...isNotDeleted(part), ...where(part)];
  return sql`${row.id} = any(array(select ${part.productId} from ${from} where ${sql.join(conditions, sql` and `)}))`;
}

/** Matches the attributes of the product and of its variants. */
function attributeFilter(row: ProductRow, scope: SqlScope, filter: Filter): SQL[] {
  if (!filter) return [];
  const matcher = (table: ProductRow | VariantRow) => idTextArrayMatcher(table.attributeIds);
  const inVariant = (wanted: StringFilter): SQL =>
    hasRareVariant(row, scope, (variant) => [hasElement(matcher(variant), wanted)]);
  const { wanted, unwanted } = splitFilter(filter);
  return [
    ...nullCondition(withoutAttributes(row, scope), filter),
    ...(wanted ? [sql`(${hasElement(matcher(row), wanted)} or ${inVariant(wanted)})`] : []),
    ...(unwanted ? [sql`(${matcher(row).any(unwanted)}) is not true`, sql`not ${inVariant({ in: unwanted })}`] : []),
  ];
}

function withoutAttributes(row: ProductRow, scope: SqlScope): SQL {
  const inVariant = hasVariant(row, scope, (variant) => [sql`${variant.attributeIds} is not null`]);
  return sql`${row.attributeIds} is null and not ${inVariant}`;
}

function locationFilter(row: ProductRow, scope: SqlScope, filter: Filter): SQL[] {
  if (!filter) return [];
  return [
    ...rowFilter(filter, (wanted) => isAtLocation(row, scope, wanted)),
    ...valueCondition(
      filter,
      isAtLocation(row, scope, {}),
      hasVariant(row, scope, () => []),
    ),
  ];
}

function isAtLocation(row: ProductRow, scope: SqlScope, wanted: StringFilter): SQL {
  return exists(scope, productStockLocation, (stock) => [
    sql`${stock.productId} = ${row.id}`,
    sql`not ${stock.deleted}`,
    exists(scope, variant, (variant) => [sql`${variant.id} = ${stock.variantId}`, ...isNotDeleted(variant)]),
    sql`${stock.stockLocationId} = any(${openLocations(scope)})`,
    ...positiveConditions(idLiteralMatcher(stock.stockLocationId), wanted),
  ]);
}

/** An array, which is read once. Joined, Postgres would expect few matches and read all products and stock counts. */
function openLocations(scope: SqlScope): SQL {
  const { row, from } = aliased(scope, stockLocation);
  return sql`array(select ${row.id} from ${from} where ${ownedBy(scope.tenant, row)} and not ${row.deleted})`;
}

function isNotDeleted(row: VariantRow): SQL[] {
  return [sql`not ${row.deleted}`];
}

function search(row: ProductRow, scope: SqlScope, text: string): SQL {
  const inVariant = hasVariant(row, scope, (variant) => [
    sql`(${textMatcher(variant.sku).like(text)} or ${textArrayMatcher(variant.barcodeList).like(text)})`,
  ]);
  return sql`(${matches(sql`${row.name}`, text)} or ${inVariant})`;
}

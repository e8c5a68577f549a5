import { type SQL, sql } from 'drizzle-orm';
import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import { type product, variant } from '../../drizzle/product.ts';
import { stockLocation } from '../../drizzle/stock.ts';
import {
  dateFilter,
  splitFilter,
  hasElement,
  idArrayMatcher,
  idFilter,
  idLiteralMatcher,
  idTextArrayMatcher,
  listFilter,
  matches,
  nameFilter,
  notDeleted,
  positiveConditions,
  type StringFilter,
  textArrayMatcher,
  textFilter,
  textMatcher,
} from '../db/read/filter.ts';
import { exists } from '../db/read/relations.ts';
import { aliased, type SqlScope } from '../db/read/projection.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { normalizedName } from '../field-input.ts';
import type { QueryListProductArgs } from '../graphql/generated/types.ts';

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
    ...dateFilter(row.updatedAt, args.updatedAt, 'updatedAt', scope.tenant.isLiteral),
    ...listFilter(idArrayMatcher(row.categoryIds), args.categoryIds),
    ...listFilter(idArrayMatcher(row.tagIds), args.tagIds),
    ...listFilter(idArrayMatcher(row.salesChannelIds), args.salesChannelIds),
    ...attributeFilter(row, scope, args.attributeId),
    ...rowFilter(args.sku, (wanted) =>
      hasVariant(row, scope, (variant) => positiveConditions(textMatcher(variant.sku), wanted)),
    ),
    ...barcodeFilter(row, scope, args.barcodeList),
    ...rowFilter(args.variantStockLocationId, (wanted) => isAtLocation(row, scope, wanted)),
    ...rowFilter(args.variantTypeId, (wanted) =>
      hasVariant(row, scope, (variant) => [hasElement(idTextArrayMatcher(variant.variantTypeIds), wanted)]),
    ),
    ...rowFilter(args.bundleProductsProductId, (wanted) =>
      hasVariant(row, scope, (variant) => [hasElement(idTextArrayMatcher(variant.bundleProductIds), wanted)]),
    ),
    ...(typeof args.search === 'string' ? [search(row, scope, normalizedName(args.search))] : []),
  ];
}

/** A filter on rows that belong to the product: at least one row matches, and no row has an excluded value. */
function rowFilter(filter: Filter, hasRow: (wanted: StringFilter) => SQL): SQL[] {
  const { wanted, unwanted } = splitFilter(filter);
  return [...(wanted ? [hasRow(wanted)] : []), ...(unwanted ? [sql`not ${hasRow({ in: unwanted })}`] : [])];
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
  const matcher = (table: ProductRow | VariantRow) => idTextArrayMatcher(table.attributeIds);
  const inVariant = (wanted: StringFilter): SQL =>
    hasRareVariant(row, scope, (variant) => [hasElement(matcher(variant), wanted)]);
  const { wanted, unwanted } = splitFilter(filter);
  return [
    ...(wanted ? [sql`(${hasElement(matcher(row), wanted)} or ${inVariant(wanted)})`] : []),
    ...(unwanted ? [sql`(${matcher(row).any(unwanted)}) is not true`, sql`not ${inVariant({ in: unwanted })}`] : []),
  ];
}

/** No index finds a part of a barcode, so that search scans from the newest product. */
function barcodeFilter(row: ProductRow, scope: SqlScope, filter: Filter): SQL[] {
  return rowFilter(filter, (wanted) => {
    const isExact = wanted.eq != null || wanted.in != null;
    return (isExact ? hasRareVariant : hasVariant)(row, scope, (variant) =>
      positiveConditions(textArrayMatcher(variant.barcodeList), wanted),
    );
  });
}

function isAtLocation(row: ProductRow, scope: SqlScope, wanted: StringFilter): SQL {
  return exists(scope, productStockLocation, (stock) => [
    sql`${stock.productId} = ${row.id}`,
    sql`not ${stock.deleted}`,
    exists(scope, variant, (variant) => [sql`${variant.id} = ${stock.variantId}`, ...isNotDeleted(variant)]),
    exists(scope, stockLocation, (location) => [
      sql`${location.id} = ${stock.stockLocationId}`,
      sql`not ${location.deleted}`,
    ]),
    ...positiveConditions(idLiteralMatcher(stock.stockLocationId), wanted),
  ]);
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

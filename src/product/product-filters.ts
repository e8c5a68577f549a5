import { type SQL, sql } from 'drizzle-orm';
import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import { type product, variant } from '../../drizzle/product.ts';
import {
  dateFilter,
  divided,
  hasElement,
  idArrayMatcher,
  idFilter,
  idLiteralMatcher,
  idTextArrayMatcher,
  listFilter,
  matches,
  notDeleted,
  positive,
  type StringFilter,
  textArrayMatcher,
  textFilter,
  textMatcher,
} from '../db/read/filter.ts';
import { exists, named, type Reader } from '../db/read/projection.ts';
import { of } from '../db/sql/tenant.ts';
import type { QueryListProductArgs } from '../graphql/generated/types.ts';

type ProductRow = typeof product;
type VariantRow = typeof variant;
type Filter = StringFilter | null | undefined;

/** The filters of listProduct, as conditions on a product's row. */
export function productFilters(row: ProductRow, read: Reader, args: QueryListProductArgs): SQL[] {
  return [
    ...notDeleted(row.deleted, args.includeDeleted),
    ...idFilter(row.id, args.id),
    ...textFilter(row.name, args.name),
    ...idFilter(row.brandId, args.brandId),
    ...textFilter(row.vendorId, args.vendorId),
    ...dateFilter(row.updatedAt, args.updatedAt, 'updatedAt', read.tenant.isInText),
    ...listFilter(idArrayMatcher(row.categoryIds), args.categoryIds),
    ...listFilter(idArrayMatcher(row.tagIds), args.tagIds),
    ...listFilter(idArrayMatcher(row.salesChannelIds), args.salesChannelIds),
    ...attributeFilter(row, read, args.attributeId),
    ...rowFilter(args.sku, (wanted) => hasVariant(row, read, (variant) => positive(textMatcher(variant.sku), wanted))),
    ...barcodeFilter(row, read, args.barcodeList),
    ...rowFilter(args.variantStockLocationId, (wanted) => isAtLocation(row, read, wanted)),
    ...rowFilter(args.variantTypeId, (wanted) =>
      hasVariant(row, read, (variant) => [hasElement(idTextArrayMatcher(variant.variantTypeIds), wanted)]),
    ),
    ...rowFilter(args.bundleProductsProductId, (wanted) =>
      hasVariant(row, read, (variant) => [hasElement(idTextArrayMatcher(variant.bundleProductIds), wanted)]),
    ),
    ...(typeof args.search === 'string' ? [search(row, read, args.search)] : []),
  ];
}

/** A filter on rows that belong to the product: one is as the filter wants it, and none has what it excludes. */
function rowFilter(filter: Filter, hasRow: (wanted: StringFilter) => SQL): SQL[] {
  const { wanted, unwanted } = divided(filter);
  return [...(wanted ? [hasRow(wanted)] : []), ...(unwanted ? [sql`not ${hasRow({ in: unwanted })}`] : [])];
}

function hasVariant(row: ProductRow, read: Reader, where: (variant: VariantRow) => SQL[]): SQL {
  return exists(read, variant, (variant) => [
    sql`${variant.productId} = ${row.id}`,
    ...isSold(variant),
    ...where(variant),
  ]);
}

/**
 * The same for conditions that few variants meet, with these read first. Of values that hardly repeat, as barcodes, Postgres
 * expects one row in two hundred to match, and would look for them from the newest product on: 500 ms among 100,000 products.
 */
function hasRareVariant(row: ProductRow, read: Reader, where: (variant: VariantRow) => SQL[]): SQL {
  const { row: part, from } = named(read, variant);
  const conditions = [of(read.tenant, part), ...isSold(part), ...where(part)];
  return sql`${row.id} = any(array(select ${part.productId} from ${from} where ${sql.join(conditions, sql` and `)}))`;
}

/** Of products that have an attribute themselves, or in one of their variants. */
function attributeFilter(row: ProductRow, read: Reader, filter: Filter): SQL[] {
  const matcher = (table: ProductRow | VariantRow) => idTextArrayMatcher(table.attributeIds);
  const inVariant = (wanted: StringFilter): SQL =>
    hasRareVariant(row, read, (variant) => [hasElement(matcher(variant), wanted)]);
  const { wanted, unwanted } = divided(filter);
  return [
    ...(wanted ? [sql`(${hasElement(matcher(row), wanted)} or ${inVariant(wanted)})`] : []),
    ...(unwanted ? [sql`(${matcher(row).any(unwanted)}) is not true`, sql`not ${inVariant({ in: unwanted })}`] : []),
  ];
}

/** A text within a barcode is found only by reading all, so then the newest products are read first. */
function barcodeFilter(row: ProductRow, read: Reader, filter: Filter): SQL[] {
  return rowFilter(filter, (wanted) => {
    const isExact = wanted.eq != null || wanted.in != null;
    return (isExact ? hasRareVariant : hasVariant)(row, read, (variant) =>
      positive(textArrayMatcher(variant.barcodeList), wanted),
    );
  });
}

function isAtLocation(row: ProductRow, read: Reader, wanted: StringFilter): SQL {
  return exists(read, productStockLocation, (stock) => [
    sql`${stock.productId} = ${row.id}`,
    sql`not ${stock.deleted}`,
    exists(read, variant, (variant) => [sql`${variant.id} = ${stock.variantId}`, ...isSold(variant)]),
    ...positive(idLiteralMatcher(stock.stockLocationId), wanted),
  ]);
}

function isSold(row: VariantRow): SQL[] {
  return [sql`not ${row.deleted}`];
}

function search(row: ProductRow, read: Reader, text: string): SQL {
  const inVariant = hasVariant(row, read, (variant) => [
    sql`(${textMatcher(variant.sku).like(text)} or ${textArrayMatcher(variant.barcodeList).like(text)})`,
  ]);
  return sql`(${matches(sql`${row.name}`, text)} or ${inVariant})`;
}

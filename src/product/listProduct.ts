import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import { product, variant } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import {
  dateFilter, idArrayMatcher, idFilter, idMatcher, idTextArrayMatcher, listFilter, type ListMatcher, matches, notDeleted, rowFilter, type StringFilter, textArrayMatcher, textFilter,
  textMatcher,
} from '../db/filter.ts';
import { type Page, readPage } from '../db/read.ts';
import { exists, named, type Reader, type Selection, type TenantTable } from '../db/shape.ts';
import { instantKey, nameKey, order } from '../db/sort.ts';
import { of } from '../db/tenant.ts';
import type { Product, QueryListProductArgs } from '../graphql/types.generated.ts';
import { productShape } from './product.ts';

const sortKeys = {
  createdAt: instantKey(product.createdAt),
  updatedAt: instantKey(product.updatedAt),
  name: nameKey(product.name),
};

export async function listProduct(ctx: Context, args: QueryListProductArgs, selection: Selection): Promise<Page<Product>> {
  return await readPage(ctx, productShape, {
    selection,
    pagination: args.pagination,
    order: order(args.sort, sortKeys),
    where: (row, read) => conditions(row, read, args),
  });
}

type ProductRow = typeof product;
type VariantRow = typeof variant;

function conditions(row: ProductRow, read: Reader, args: QueryListProductArgs): SQL[] {
  const related = relatedRows(row, read);
  return [
    ...notDeleted(row.deleted, args.includeDeleted),
    ...idFilter(row.id, args.id),
    ...textFilter(row.name, args.name),
    ...idFilter(row.brandId, args.brandId),
    ...textFilter(row.vendorId, args.vendorId),
    ...dateFilter(row.updatedAt, args.updatedAt, 'updatedAt'),
    ...listFilter(idArrayMatcher(row.categoryIds), args.categoryIds),
    ...listFilter(idArrayMatcher(row.tagIds), args.tagIds),
    ...listFilter(idArrayMatcher(row.salesChannelIds), args.salesChannelIds),
    ...attributeFilter(row, read, args.attributeId),
    ...related(variant, (row) => textMatcher(row.sku), args.sku, isSold),
    ...related(variant, (row) => textArrayMatcher(row.barcodeList), args.barcodeList, isSold),
    ...related(productStockLocation, (stock) => idMatcher(stock.stockLocationId), args.variantStockLocationId, (stock) => [
      sql`not ${stock.deleted}`,
      exists(read, variant, (row) => [sql`${row.id} = ${stock.variantId}`, ...isSold(row)]),
    ]),
    ...variantListFilter(row, read, (variant) => idTextArrayMatcher(variant.variantTypeIds), args.variantTypeId),
    ...variantListFilter(row, read, (variant) => idTextArrayMatcher(variant.bundleProductIds), args.bundleProductsProductId),
    ...(typeof args.search === 'string' ? [search(row, read, args.search)] : []),
  ];
}

type Filter = StringFilter | null | undefined;
type OfProduct = TenantTable & { productId: AnyPgColumn };

/** A filter on rows of another table that belong to the product. */
function relatedRows(row: ProductRow, read: Reader) {
  return <Table extends OfProduct>(
    table: Table,
    matcher: (related: Table) => ReturnType<typeof idMatcher>,
    filter: Filter,
    where: (related: Table) => SQL[] = () => [],
  ): SQL[] => {
    if (!filter) return [];
    const { row: related, from } = named(read, table);
    return rowFilter(matcher(related), filter, (condition) => {
      const all = [sql`${related.merchantId} = ${read.tenant.merchantId}`, sql`${related.productId} = ${row.id}`, ...where(related), condition];
      return sql`exists (select from ${from} where ${sql.join(all, sql` and `)})`;
    });
  };
}

/** A filter on a list of the product's variants. */
function variantListFilter(row: ProductRow, read: Reader, list: (row: VariantRow) => ListMatcher, filter: Filter): SQL[] {
  const inVariant = (condition: (variant: VariantRow) => SQL[]): SQL =>
    exists(read, variant, (variant) => [sql`${variant.productId} = ${row.id}`, ...isSold(variant), ...condition(variant)]);
  return splitFilter(filter, {
    wanted: (wanted) => inVariant((variant) => listFilter(list(variant), wanted)),
    unwanted: (values) => inVariant((variant) => [list(variant).any(values)]),
  });
}

type Split = { wanted: (filter: StringFilter) => SQL; unwanted: (values: readonly string[]) => SQL };

/** What the filter wants, and none of what it does not want. */
function splitFilter(filter: Filter, { wanted, unwanted }: Split): SQL[] {
  const { ne, nin, ...rest } = filter ?? {};
  const excluded = [...(ne == null ? [] : [ne]), ...(nin ?? [])];
  const isWanted = Object.values(rest).some((value) => value != null);
  return [...(isWanted ? [wanted(rest)] : []), ...(excluded.length > 0 ? [sql`not ${unwanted(excluded)}`] : [])];
}

/** Of products that have an attribute themselves, or in one of their variants. */
function attributeFilter(row: ProductRow, read: Reader, filter: Filter): SQL[] {
  const matcher = (table: ProductRow | VariantRow) => idTextArrayMatcher(table.attributeIds);
  const whole = named(read, product);
  const part = named(read, variant);
  const within = (conditions: (table: ProductRow | VariantRow) => SQL[]): SQL => {
    const [ofWhole, ofPart] = [sql.join(conditions(whole.row), sql` and `), sql.join(conditions(part.row), sql` and `)];
    return sql`${row.id} in (
      select ${whole.row.id} from ${whole.from} where ${of(read.tenant, whole.row)} and ${ofWhole}
      union all
      select ${part.row.productId} from ${part.from} where ${of(read.tenant, part.row)} and not ${part.row.deleted} and ${ofPart})`;
  };
  return splitFilter(filter, {
    wanted: (wanted) => within((table) => listFilter(matcher(table), wanted)),
    unwanted: (values) => within((table) => [matcher(table).any(values)]),
  });
}

function isSold(row: VariantRow): SQL[] {
  return [sql`not ${row.deleted}`];
}

function search(row: ProductRow, read: Reader, text: string): SQL {
  const inVariant = exists(read, variant, (variant) => [
    sql`${variant.productId} = ${row.id}`,
    ...isSold(variant),
    sql`(${textMatcher(variant.sku).like(text)} or ${textArrayMatcher(variant.barcodeList).like(text)})`,
  ]);
  return sql`(${matches(sql`${row.name}`, text)} or ${inVariant})`;
}

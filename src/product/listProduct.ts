import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import {
  bundleProduct, productAttributeValue, productCategory, productSalesChannel, productTagRelation, variantValueRelation,
} from '../../drizzle/product-relation.ts';
import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import { product, variant } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import {
  dateFilter, idFilter, idMatcher, matches, notDeleted, rowFilter, type StringFilter, textArrayMatcher, textFilter, textMatcher,
} from '../db/filter.ts';
import { type Page, readPage } from '../db/read.ts';
import { exists, named, type Reader, type Selection, type TenantTable } from '../db/shape.ts';
import { instantKey, nameKey, order } from '../db/sort.ts';
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

function conditions(row: ProductRow, read: Reader, args: QueryListProductArgs): SQL[] {
  const related = relatedRows(row, read);
  return [
    ...notDeleted(row.deleted, args.includeDeleted),
    ...idFilter(row.id, args.id),
    ...textFilter(row.name, args.name),
    ...idFilter(row.brandId, args.brandId),
    ...textFilter(row.vendorId, args.vendorId),
    ...dateFilter(row.updatedAt, args.updatedAt, 'updatedAt'),
    ...related(productCategory, (link) => idMatcher(link.categoryId), args.categoryIds),
    ...related(productTagRelation, (link) => idMatcher(link.tagId), args.tagIds),
    ...related(productSalesChannel, (link) => idMatcher(link.salesChannelId), args.salesChannelIds, (link) => [sql`${link.listed}`]),
    ...related(productAttributeValue, (value) => idMatcher(value.productAttributeId), args.attributeId),
    ...related(variant, (row) => textMatcher(row.sku), args.sku, isSold),
    ...related(variant, (row) => textArrayMatcher(row.barcodeList), args.barcodeList, isSold),
    ...related(productStockLocation, (stock) => idMatcher(stock.stockLocationId), args.variantStockLocationId, (stock) => [
      sql`not ${stock.deleted}`,
      exists(read, variant, (row) => [sql`${row.id} = ${stock.variantId}`, ...isSold(row)]),
    ]),
    ...related(variantValueRelation, (value) => idMatcher(value.variantTypeId), args.variantTypeId, (value) => [
      exists(read, variant, (row) => [sql`${row.id} = ${value.variantId}`, ...isSold(row)]),
    ]),
    ...related(bundleProduct, (entry) => idMatcher(entry.containedProductId), args.bundleProductsProductId),
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

function isSold(row: typeof variant): SQL[] {
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

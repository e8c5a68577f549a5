import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { productAttribute, productAttributeOption } from '../../../drizzle/attribute.ts';
import { productBrand } from '../../../drizzle/brand.ts';
import { category } from '../../../drizzle/category.ts';
import { pageMetadata } from '../../../drizzle/page-metadata.ts';
import { priceList } from '../../../drizzle/price-list.ts';
import { product, variant } from '../../../drizzle/product.ts';
import { variantType, variantValue } from '../../../drizzle/variant-type.ts';
import type { Context } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import type { TenantTable } from '../../db/read/projection.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { isDynamic } from '../../price-list/dynamic-list.ts';
import type { Omission } from '../line/omission.ts';

type Member = { table: TenantTable; where: SQL };

const hasPageTexts = (target: 'BRAND' | 'CATEGORY'): Member => ({
  table: pageMetadata,
  where: sql`${pageMetadata.targetType} = ${sql.raw(`'${target}'`)} and not ${pageMetadata.deleted} and coalesce(
    ${pageMetadata.pageTitle}, ${pageMetadata.description}, ${pageMetadata.redirectTo}, ${pageMetadata.disableIndex}::text,
    ${pageMetadata.canonicals}::text, ${pageMetadata.metadataOverrides}::text, ${pageMetadata.translations}::text) is not null`,
});

const present = (table: TenantTable & { deleted: AnyPgColumn }, where: SQL): Member => ({
  table,
  where: sql`not ${table.deleted} and ${where}`,
});

/**
 * What products, brands, categories, variant types and attributes of a shop can have and a file cannot, by its place in
 * the SDL.
 */
const MEMBERS: Record<string, Member> = {
  'Product.deleted': { table: product, where: sql`${product.deleted}` },
  'Variant.deleted': { table: variant, where: sql`${variant.deleted}` },
  'ProductImage.fileName': present(variant, sql`${variant.images}::text like '%"fileName":"%'`),
  // The file has the address of a rendition. Pictures with a source URL are fetched from there again.
  'ProductImage.imageId': present(variant, sql`${variant.images}::text like '%"sourceUrl":null%'`),
  'ProductPrice.isComputed': { table: priceList, where: isDynamic(priceList) },
  'ProductBrand.imageId': present(productBrand, sql`${productBrand.imageId} is not null`),
  'ProductBrand.orderType': present(productBrand, sql`${productBrand.orderType} is not null`),
  'ProductBrand.salesChannelIds': present(productBrand, sql`cardinality(${productBrand.salesChannelIds}) > 0`),
  'ProductBrand.metaData': hasPageTexts('BRAND'),
  'Category.imageId': present(category, sql`${category.imageId} is not null`),
  'Category.conditions': present(category, sql`(${category.isAutomated} or ${category.conditions} is not null)`),
  'Category.orderType': present(category, sql`${category.orderType} is not null`),
  'Category.salesChannels': present(
    category,
    sql`(cardinality(${category.salesChannelIds}) > 0 or ${category.salesChannels} is not null)`,
  ),
  'Category.metaData': hasPageTexts('CATEGORY'),
  'VariantType.translations': present(variantType, sql`${variantType.translations} is not null`),
  'VariantValue.sourceId': present(variantValue, sql`${variantValue.sourceId} is not null`),
  'VariantValue.thumbnailImageId': present(variantValue, sql`${variantValue.thumbnailImageId} is not null`),
  'ProductAttribute.description': present(productAttribute, sql`${productAttribute.description} is not null`),
  'ProductAttribute.translations': present(productAttribute, sql`${productAttribute.translations} is not null`),
  'ProductAttributeOption.colorCode': present(
    productAttributeOption,
    sql`${productAttributeOption.colorCode} is not null`,
  ),
  'ProductAttributeOption.thumbnailImageId': present(
    productAttributeOption,
    sql`${productAttributeOption.thumbnailImageId} is not null`,
  ),
};

/** Counts the merchant's records with members that no file has. Members that no record has are left out. */
export async function shopOmissions(ctx: Pick<Context, 'db' | 'merchantId'>): Promise<Omission[]> {
  const counts = Object.entries(MEMBERS).map(
    ([name, { table, where }]) =>
      sql`(select count(*)::int from ${table} where ${ownedBy(ctx, table)} and ${where}) as ${sql.identifier(name)}`,
  );
  const columns = Object.fromEntries(Object.keys(MEMBERS).map((name) => [name, column.number]));
  const [row] = await readRows(ctx, columns, sql`select ${sql.join(counts, sql`, `)}`);
  return Object.entries(row!).flatMap(([member, count]) =>
    count === 0 ? [] : [{ handle: null, member, reason: `is not in files (records: ${count})` }],
  );
}

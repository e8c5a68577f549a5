import { type SQL, sql } from 'drizzle-orm';
import { productBrand } from '../../drizzle/brand.ts';
import { category } from '../../drizzle/category.ts';
import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import { product, type StoredVariantType, variant } from '../../drizzle/product.ts';
import { productTag } from '../../drizzle/tag.ts';
import {
  decimal,
  decimalText,
  document,
  documents,
  exists,
  type Expression,
  id,
  integer,
  many,
  named,
  PAGE,
  type Reader,
  recordFields,
  reference,
  references,
  shape,
  sharedRecords,
  slot,
  text,
  texts,
  timestamp,
  word,
} from '../db/read/projection.ts';
import { of } from '../db/sql/tenant.ts';
import type {
  Product,
  ProductBaseUnitModel,
  ProductAttributeValue,
  ProductSalesChannel,
  ProductTranslation,
  ProductVariantType,
  SimpleCategory,
  SimpleProductBrand,
  SimpleProductTag,
} from '../graphql/generated/types.ts';
import { metaDataOf } from '../page-metadata/page-metadata.ts';
import { variantTypeShape } from '../variant-type/variant-type.ts';
import { variantShape } from './variant.ts';

const simpleBrandShape = shape<SimpleProductBrand>()(productBrand, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
});

const simpleTagShape = shape<SimpleProductTag>()(productTag, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
});

const simpleCategoryShape = shape<SimpleCategory>()(category, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  parentId: (row) => id(row.parentId),
});

type ProductRow = typeof product;

export const productShape = shape<Product>()(product, {
  ...recordFields(),
  id: (row) => id(row.id),
  version: (row) => integer(row.version),
  name: (row) => text(row.name),
  type: (row) => word(row.type),
  variants: (row, read) =>
    many(read, variantShape, (variant) => ({
      where: [sql`${variant.productId} = ${row.id}`, sql`not ${variant.deleted}`],
      orderBy: [sql`${variant.position}`],
    })),
  attributes: (row, read) => documents<ProductAttributeValue>(read, row.attributes),
  baseUnit: (row, read) => document<ProductBaseUnitModel>(read, row.baseUnit),
  brand: (row, read) => reference(read, simpleBrandShape, row.brandId),
  brandId: (row) => id(row.brandId),
  categories: (row, read) => references(read, simpleCategoryShape, row.categoryIds),
  categoryIds: (row) => texts(row.categoryIds),
  description: (row) => text(row.description),
  shortDescription: (row) => text(row.shortDescription),
  dynamicPriceListIds: (row) => texts(row.dynamicPriceListIds),
  googleTaxonomyId: (row) => text(row.googleTaxonomyId),
  groupVariantsByVariantTypeId: (row) => id(row.groupVariantsByVariantTypeId),
  hiddenSalesChannelIds: (row) => texts(row.hiddenSalesChannelIds),
  salesChannelIds: (row) => texts(row.salesChannelIds),
  salesChannels: (row, read) => documents<ProductSalesChannel>(read, row.salesChannels),
  maxQuantityPerCart: (row) => decimal(row.maxQuantityPerCart),
  metaData: (row, read) => metaDataOf(read, row.id),
  productOptionSetId: (row) => text(row.productOptionSetId),
  productVariantTypes: (row, read) => usedVariantTypes(row, read),
  productVolumeDiscountId: (row) => text(row.productVolumeDiscountId),
  releaseDate: (row) => timestamp(row.releaseDate),
  subscriptionPlanId: (row) => text(row.subscriptionPlanId),
  tagIds: (row) => texts(row.tagIds),
  tags: (row, read) => references(read, simpleTagShape, row.tagIds),
  totalStock: (row, read) => totalStock(row, read),
  translations: (row, read) => document<ProductTranslation[]>(read, row.translations),
  vendorId: (row) => text(row.vendorId),
  weight: (row) => decimal(row.weight),
});

/** The variant types that the product uses, with what it says of each: the order, and the values of them that it uses. */
function usedVariantTypes(row: ProductRow, read: Reader): Expression<ProductVariantType[]> {
  const used = sql`
    select (use ->> 'variantTypeId')::uuid from ${sql.identifier(PAGE)}, json_array_elements(${row.variantTypes}) as listed(use)`;
  const place = sharedRecords(read, variantTypeShape, used);
  const members = Object.keys(read.selection);
  const found = slot<ProductVariantType[]>(read, sql`coalesce(${row.variantTypes}::text, '[]')`, (stored, page) => {
    const uses = JSON.parse(stored) as StoredVariantType[];
    return JSON.stringify(
      uses.flatMap((use) => {
        const type = page.record(place, use.variantTypeId) as Record<string, unknown> | undefined;
        const member = (name: string): unknown =>
          Object.hasOwn(use, name) ? use[name as keyof StoredVariantType] : type?.[name];
        return type ? [Object.fromEntries(members.map((name) => [name, member(name)]))] : [];
      }),
    );
  });
  return {
    ...found,
    event: {
      kind: 'uses',
      type: variantTypeShape,
      column: row.variantTypes,
      id: 'variantTypeId',
      own: ['order', 'variantValueIds'],
    },
  };
}

/** Of the variants that the product still has. */
function totalStock(row: ProductRow, read: Reader): Expression<number> {
  const { row: stock, from } = named(read, productStockLocation);
  const sold = exists(read, variant, (variant) => [
    sql`${variant.id} = ${stock.variantId}`,
    sql`not ${variant.deleted}`,
  ]);
  const sum = sql`coalesce(sum(${stock.stockCount}), 0)`;
  const total = (value: SQL): SQL =>
    sql`(select ${value} from ${from} where ${of(read.tenant, stock)} and ${stock.productId} = ${row.id} and not ${stock.deleted} and ${sold})`;
  return { sql: total(decimalText(sum)), event: { kind: 'value', sql: total(sql`trim_scale(${sum})`) } };
}

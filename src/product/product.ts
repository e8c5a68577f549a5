import { type SQL, sql } from 'drizzle-orm';
import { productBrand } from '../../drizzle/brand.ts';
import { category } from '../../drizzle/category.ts';
import {
  productCategory, productDynamicPriceList, productSalesChannel, productTagRelation,
  productVariantType, productVariantValue,
} from '../../drizzle/product-relation.ts';
import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import { product, variant } from '../../drizzle/product.ts';
import { productTag } from '../../drizzle/tag.ts';
import {
  decimal, decimalText, document, exists, type Expression, id, ids, integer, linked, lookup, many, namedShape, type Reader, recordFields, referred, shape, text,
  timestamp, word,
} from '../db/shape.ts';
import type {
  Product, ProductBaseUnitModel, ProductSalesChannel, ProductTranslation, SimpleCategory, SimpleProductBrand, SimpleProductTag,
} from '../graphql/types.generated.ts';
import { metaDataOf } from '../meta-data/meta-data.ts';
import { variantTypeShape } from '../variant-type/variant-type.ts';
import { attributeValueShape, variantShape } from './variant.ts';

const simpleBrandShape = namedShape<SimpleProductBrand>()(productBrand, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
});

const simpleTagShape = namedShape<SimpleProductTag>()(productTag, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
});

const simpleCategoryShape = namedShape<SimpleCategory>()(category, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  parentId: (row) => id(row.parentId),
});

const salesChannelShape = shape<ProductSalesChannel>()(productSalesChannel, {
  id: (row) => id(row.salesChannelId),
  status: (row) => word(row.status) as Expression<'HIDDEN' | 'PASSIVE' | 'VISIBLE'>,
  maxQuantityPerCart: (row) => decimal(row.maxQuantityPerCart),
  minQuantityPerCart: (row) => decimal(row.minQuantityPerCart),
  productVolumeDiscountId: (row) => text(row.productVolumeDiscountId),
  quantitySettings: (row) => document<number[]>(row.quantitySettings),
});

type ProductRow = typeof product;
type ChannelRow = typeof productSalesChannel;

function channelIds(read: Reader, row: ProductRow, which: (channel: ChannelRow) => SQL): Expression<string[]> {
  return ids(read, productSalesChannel, (channel) => ({
    id: channel.salesChannelId,
    where: [sql`${channel.productId} = ${row.id}`, which(channel)],
    orderBy: [sql`${channel.position}`],
  }));
}

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
  attributes: (row, read) =>
    many(read, attributeValueShape, (value) => ({
      where: [sql`${value.productId} = ${row.id}`, sql`${value.variantId} is null`],
      orderBy: [sql`${value.position}`],
    })),
  baseUnit: (row) => document<ProductBaseUnitModel>(row.baseUnit),
  brand: (row, read) => referred(read, simpleBrandShape, row.brandId),
  brandId: (row) => id(row.brandId),
  categories: (row, read) =>
    linked(read, productCategory, simpleCategoryShape, (link) => ({
      id: link.categoryId,
      where: [sql`${link.productId} = ${row.id}`],
      orderBy: [sql`${link.position}`],
    })),
  categoryIds: (row, read) =>
    ids(read, productCategory, (link) => ({ id: link.categoryId, where: [sql`${link.productId} = ${row.id}`], orderBy: [sql`${link.position}`] })),
  description: (row) => text(row.description),
  shortDescription: (row) => text(row.shortDescription),
  dynamicPriceListIds: (row, read) =>
    ids(read, productDynamicPriceList, (link) => ({
      id: link.priceListId,
      where: [sql`${link.productId} = ${row.id}`],
      orderBy: [sql`${link.position}`],
    })),
  googleTaxonomyId: (row) => text(row.googleTaxonomyId),
  groupVariantsByVariantTypeId: (row) => id(row.groupVariantsByVariantTypeId),
  hiddenSalesChannelIds: (row, read) => channelIds(read, row, (channel) => sql`${channel.hidden}`),
  salesChannelIds: (row, read) => channelIds(read, row, (channel) => sql`${channel.listed}`),
  salesChannels: (row, read) =>
    many(read, salesChannelShape, (channel) => ({
      where: [sql`${channel.productId} = ${row.id}`, sql`${channel.status} is not null`],
      orderBy: [sql`${channel.position}`],
    })),
  maxQuantityPerCart: (row) => decimal(row.maxQuantityPerCart),
  metaData: (row, read) => metaDataOf(read, row.id),
  productOptionSetId: (row) => text(row.productOptionSetId),
  productVariantTypes: (row, read) =>
    linked(
      read,
      productVariantType,
      variantTypeShape,
      (use) => ({
        id: use.variantTypeId,
        where: [sql`${use.productId} = ${row.id}`],
        orderBy: [sql`${use.position}`],
      }),
      (use) => ({ order: () => decimal(use.order), variantValueIds: (_, read) => usedValueIds(read, row, use) }),
    ),
  productVolumeDiscountId: (row) => text(row.productVolumeDiscountId),
  releaseDate: (row) => timestamp(row.releaseDate),
  subscriptionPlanId: (row) => text(row.subscriptionPlanId),
  tagIds: (row, read) =>
    ids(read, productTagRelation, (link) => ({ id: link.tagId, where: [sql`${link.productId} = ${row.id}`], orderBy: [sql`${link.position}`] })),
  tags: (row, read) =>
    linked(read, productTagRelation, simpleTagShape, (link) => ({
      id: link.tagId,
      where: [sql`${link.productId} = ${row.id}`],
      orderBy: [sql`${link.position}`],
    })),
  totalStock: (row, read) => lookup(read, productStockLocation, (stock) => inStock(read, row, stock), (stock) => ({
    sql: decimalText(sql`coalesce(sum(${stock.stockCount}), 0)`),
  })) as Expression<number>,
  translations: (row) => document<ProductTranslation[]>(row.translations),
  vendorId: (row) => text(row.vendorId),
  weight: (row) => decimal(row.weight),
});

function usedValueIds(read: Reader, row: ProductRow, use: typeof productVariantType): Expression<string[]> {
  return ids(read, productVariantValue, (value) => ({
    id: value.variantValueId,
    where: [sql`${value.productId} = ${row.id}`, sql`${value.variantTypeId} = ${use.variantTypeId}`],
    orderBy: [sql`${value.position}`],
  }));
}

/** Counts of variants that the product still has. */
function inStock(read: Reader, row: ProductRow, stock: typeof productStockLocation): SQL[] {
  const sold = exists(read, variant, (variant) => [sql`${variant.id} = ${stock.variantId}`, sql`not ${variant.deleted}`]);
  return [sql`${stock.productId} = ${row.id}`, sql`not ${stock.deleted}`, sold];
}

import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { productBrand } from '../../drizzle/brand.ts';
import { bulkOperationImage } from '../../drizzle/bulk-operation.ts';
import { category } from '../../drizzle/category.ts';
import { htmlMetaData } from '../../drizzle/meta-data.ts';
import { productPrice } from '../../drizzle/product-price.ts';
import { productCategory, productTagRelation, productVariantType, productVariantValue, variantImage, variantValueRelation } from '../../drizzle/product-relation.ts';
import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import { type productTypes, product, variant } from '../../drizzle/product.ts';
import { stockLocation } from '../../drizzle/stock.ts';
import { productTag } from '../../drizzle/tag.ts';
import { variantType, variantValue } from '../../drizzle/variant-type.ts';
import { boolean, decimal, exists, type Expression, id, linked, lookup, many, one, type Reader, shape, type TenantTable, text, texts, word } from '../db/shape.ts';

type Named = { name: string };
type MetaData = { slug: string; pageTitle: string | null; description: string | null };
type Category = { name: string; ancestors: Named[] };
type UsedVariantType = { name: string; order: number; values: Named[] };
type UsedVariantValue = { typeName: string | null; name: string };
type Price = { priceListId: string | null; sellPrice: number; buyPrice: number | null; discountPrice: number | null; currency: string | null };
type Stock = { stockLocationId: string; stockCount: number };
type Image = { url: string | null; isMain: boolean; isVideo: boolean | null; order: number };
type RequestedImage = Image & { state: 'PENDING' | 'DONE' | 'FAILED' };

/** A variant as a bulk request would name it. */
export type NamedVariant = {
  id: string;
  sourceId: string | null;
  sku: string | null;
  barcodeList: string[];
  isActive: boolean;
  sellIfOutOfStock: boolean | null;
  weight: number | null;
  hsCode: string | null;
  prices: Price[];
  stocks: Stock[];
  variantValues: UsedVariantValue[];
  /** Those that came from an address. */
  images: Image[];
  /** Those that the latest request asked for, whatever became of them. */
  requestedImages: RequestedImage[];
};

/** A product by names instead of ids, as a bulk request would bring it. What of this is deleted is left out. */
export type NamedProduct = {
  id: string;
  sourceId: string | null;
  deleted: boolean;
  name: string;
  type: (typeof productTypes)[number];
  brand: string | null;
  categories: Category[];
  tags: Named[];
  variantTypes: UsedVariantType[];
  metaData: MetaData | null;
  description: string | null;
  shortDescription: string | null;
  googleTaxonomyId: string | null;
  maxQuantityPerCart: number | null;
  vendorId: string | null;
  weight: number | null;
  variants: NamedVariant[];
};

const metaDataShape = shape<MetaData>()(htmlMetaData, {
  slug: (row) => text(row.slug),
  pageTitle: (row) => text(row.pageTitle),
  description: (row) => text(row.description),
});

const ancestorShape = shape<Named>()(category, { name: (row) => text(row.name) });

const categoryShape = shape<Category>()(category, {
  name: (row) => text(row.name),
  ancestors: (row, read) =>
    many(read, ancestorShape, (ancestor) => ({
      where: [sql`${ancestor.id} = any(${row.path})`],
      orderBy: [sql`array_position(${row.path}, ${ancestor.id})`],
    })),
});

const tagShape = shape<Named>()(productTag, { name: (row) => text(row.name) });
const valueShape = shape<Named>()(variantValue, { name: (row) => text(row.name) });

const usedTypeShape = shape<UsedVariantType>()(productVariantType, {
  name: (use, read) => lookup(read, variantType, (type) => [sql`${type.id} = ${use.variantTypeId}`], (type) => text(type.name)) as Expression<string>,
  order: (use) => decimal(use.order),
  values: (use, read) =>
    linked(read, productVariantValue, valueShape, (link) => ({
      id: link.variantValueId,
      where: [sql`${link.productId} = ${use.productId}`, sql`${link.variantTypeId} = ${use.variantTypeId}`, isThere(read, variantValue, link.variantValueId)],
      orderBy: [sql`${link.position}`],
    })),
});

const usedValueShape = shape<UsedVariantValue>()(variantValue, {
  typeName: (value, read) => lookup(read, variantType, (type) => [sql`${type.id} = ${value.variantTypeId}`], (type) => text(type.name)),
  name: (value) => text(value.name),
});

const priceShape = shape<Price>()(productPrice, {
  priceListId: (row) => id(row.priceListId),
  sellPrice: (row) => decimal(row.sellPrice),
  buyPrice: (row) => decimal(row.buyPrice),
  discountPrice: (row) => decimal(row.discountPrice),
  currency: (row) => text(row.currency),
});

const stockShape = shape<Stock>()(productStockLocation, {
  stockLocationId: (row) => id(row.stockLocationId),
  stockCount: (row) => decimal(row.stockCount),
});

const imageShape = shape<Image>()(variantImage, {
  url: (row) => text(row.sourceUrl),
  isMain: (row) => boolean(row.isMain),
  isVideo: (row) => boolean(row.isVideo),
  order: (row) => decimal(row.order),
});

const requestedImageShape = shape<RequestedImage>()(bulkOperationImage, {
  url: (row) => text(row.url),
  isMain: (row) => boolean(row.isMain),
  isVideo: (row) => boolean(row.isVideo),
  order: (row) => decimal(row.order),
  state: (row) => word(row.state),
});

type VariantRow = typeof variant;

const variantShape = shape<NamedVariant>()(variant, {
  id: (row) => id(row.id),
  sourceId: (row) => text(row.sourceId),
  sku: (row) => text(row.sku),
  barcodeList: (row) => texts(row.barcodeList) as Expression<string[]>,
  isActive: (row) => boolean(row.isActive),
  sellIfOutOfStock: (row) => boolean(row.sellIfOutOfStock),
  weight: (row) => decimal(row.weight),
  hsCode: (row) => text(row.hsCode),
  prices: (row, read) => many(read, priceShape, (price) => ({ where: ofVariant(price, row) })),
  stocks: (row, read) =>
    many(read, stockShape, (stock) => ({
      where: [...ofVariant(stock, row), sql`not ${stock.deleted}`, isThere(read, stockLocation, stock.stockLocationId)],
    })),
  variantValues: (row, read) =>
    linked(read, variantValueRelation, usedValueShape, (link) => ({
      id: link.variantValueId,
      where: [...ofVariant(link, row), isThere(read, variantValue, link.variantValueId)],
      orderBy: [sql`${link.position}`],
    })),
  images: (row, read) =>
    many(read, imageShape, (image) => ({
      where: [...ofVariant(image, row), sql`${image.sourceUrl} is not null`],
      orderBy: [sql`${image.order}`, sql`${image.position}`],
    })),
  requestedImages: (row, read) => requestedImages(row, read),
});

/** A later request for pictures of the variant takes the place of an earlier one. */
function requestedImages(row: VariantRow, read: Reader): Expression<RequestedImage[]> {
  return many(read, requestedImageShape, (image) => ({
    where: [
      ...ofVariant(image, row),
      sql`not ${exists(read, bulkOperationImage, (later) => [...ofVariant(later, row), sql`${later.bulkOperationId} > ${image.bulkOperationId}`])}`,
    ],
    orderBy: [sql`${image.order}`, sql`${image.id}`],
  }));
}

type Deletable = TenantTable & { id: AnyPgColumn; deleted: AnyPgColumn };

function isThere(read: Reader, table: Deletable, id: AnyPgColumn): SQL {
  return exists(read, table, (row) => [sql`${row.id} = ${id}`, sql`not ${row.deleted}`]);
}

type OfVariant = { productId: typeof productPrice.productId; variantId: typeof productPrice.variantId };

function ofVariant(row: object, owner: VariantRow) {
  const { productId, variantId } = row as OfVariant;
  return [sql`${productId} = ${owner.productId}`, sql`${variantId} = ${owner.id}`];
}

export const namedProductShape = shape<NamedProduct>()(product, {
  id: (row) => id(row.id),
  sourceId: (row) => text(row.sourceId),
  deleted: (row) => boolean(row.deleted),
  name: (row) => text(row.name),
  type: (row) => word(row.type),
  brand: (row, read) => lookup(read, productBrand, (brand) => [sql`${brand.id} = ${row.brandId}`, sql`not ${brand.deleted}`], (brand) => text(brand.name)),
  categories: (row, read) =>
    linked(read, productCategory, categoryShape, (link) => ({
      id: link.categoryId,
      where: [sql`${link.productId} = ${row.id}`, isThere(read, category, link.categoryId)],
      orderBy: [sql`${link.position}`],
    })),
  tags: (row, read) =>
    linked(read, productTagRelation, tagShape, (link) => ({
      id: link.tagId,
      where: [sql`${link.productId} = ${row.id}`, isThere(read, productTag, link.tagId)],
      orderBy: [sql`${link.position}`],
    })),
  variantTypes: (row, read) =>
    many(read, usedTypeShape, (use) => ({
      where: [sql`${use.productId} = ${row.id}`, isThere(read, variantType, use.variantTypeId)],
      orderBy: [sql`${use.position}`],
    })),
  metaData: (row, read) => one(read, metaDataShape, (metaData) => [sql`${metaData.targetId} = ${row.id}`]),
  description: (row) => text(row.description),
  shortDescription: (row) => text(row.shortDescription),
  googleTaxonomyId: (row) => text(row.googleTaxonomyId),
  maxQuantityPerCart: (row) => decimal(row.maxQuantityPerCart),
  vendorId: (row) => text(row.vendorId),
  weight: (row) => decimal(row.weight),
  variants: (row, read) =>
    many(read, variantShape, (variant) => ({ where: [sql`${variant.productId} = ${row.id}`, sql`not ${variant.deleted}`], orderBy: [sql`${variant.position}`] })),
});

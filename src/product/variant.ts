import { and, type SQL, sql } from 'drizzle-orm';
import { merchant } from '../../drizzle/merchant.ts';
import { priceList } from '../../drizzle/price-list.ts';
import { productPrice } from '../../drizzle/product-price.ts';
import { bundleProduct, productAttributeValue, variantImage, variantValueRelation } from '../../drizzle/product-relation.ts';
import { variant } from '../../drizzle/product.ts';
import {
  boolean, decimal, document, type Expression, id, lookup, many, type Reader, record, recordFields, shape, text, texts,
} from '../db/shape.ts';
import type {
  BundleProductModel, BundleSettingsModel, ProductAttributeValue, ProductImage, ProductPrice,
  Variant, VariantUnitModel, VariantValueRelation,
} from '../graphql/types.generated.ts';
import { productStockLocationShape } from '../stock/product-stock-location.ts';

type PriceRow = typeof productPrice;

/** A row that names no currency is in its price list's, or, being the base price, in the merchant's. */
function currencyOf(read: Reader, row: PriceRow, ofList: (list: typeof priceList) => SQL, ofMerchant: (of: typeof merchant) => SQL): Expression<string | null> {
  const list = lookup(read, priceList, (list) => [sql`${list.id} = ${row.priceListId}`], (list) => ({ sql: ofList(list) }));
  const own = lookup(read, merchant, () => [], (merchant) => ({ sql: ofMerchant(merchant) }));
  return { sql: sql`case when ${row.priceListId} is null then ${own.sql} else ${list.sql} end` };
}

const orNull = (expression: SQL): SQL => sql`coalesce(to_json(${expression})::text, 'null')`;

export const priceShape = shape<ProductPrice>()(productPrice, {
  sellPrice: (row) => decimal(row.sellPrice),
  buyPrice: (row) => decimal(row.buyPrice),
  discountPrice: (row) => decimal(row.discountPrice),
  currency: (row, read) =>
    currencyOf(read, row, (list) => orNull(sql`coalesce(${row.currency}, ${list.currency})`), (own) => orNull(sql`coalesce(${row.currency}, ${own.currencyCode})`)),
  currencyCode: (row, read) =>
    currencyOf(
      read,
      row,
      (list) => orNull(sql`coalesce(${row.currency}, ${list.currencyCode}, ${list.currency})`),
      (own) => orNull(sql`coalesce(${row.currency}, ${own.currencyCode})`),
    ),
  // A currency of the row's own has no symbol here, unless it is the one it would have anyway.
  currencySymbol: (row, read) =>
    currencyOf(
      read,
      row,
      (list) => orNull(sql`case when coalesce(${row.currency} in (${list.currency}, ${list.currencyCode}), true) then ${list.currencySymbol} end`),
      (own) => orNull(sql`case when coalesce(${row.currency} = ${own.currencyCode}, true) then ${own.currencySymbol} end`),
    ),
  priceListId: (row) => id(row.priceListId),
});

export const attributeValueShape = shape<ProductAttributeValue>()(productAttributeValue, {
  productAttributeId: (row) => id(row.productAttributeId),
  productAttributeOptionId: (row) => id(row.productAttributeOptionId),
  value: (row) => text(row.value),
  imageIds: (row) => texts(row.imageIds),
});

const imageShape = shape<ProductImage>()(variantImage, {
  imageId: (row) => text(row.imageId),
  fileName: (row) => text(row.fileName),
  isMain: (row) => boolean(row.isMain),
  isVideo: (row) => boolean(row.isVideo),
  order: (row) => decimal(row.order),
});

const valueRelationShape = shape<VariantValueRelation>()(variantValueRelation, {
  variantTypeId: (row) => id(row.variantTypeId),
  variantValueId: (row) => id(row.variantValueId),
});

const bundleProductShape = shape<BundleProductModel>()(bundleProduct, {
  id: (row) => text(row.id),
  productId: (row) => id(row.containedProductId),
  quantity: (row) => decimal(row.quantity),
  order: (row) => decimal(row.order),
  filteredVariantIds: (row) => texts(row.filteredVariantIds),
  addToBundleBasePrice: (row) => boolean(row.addToBundleBasePrice),
  discountRatio: (row) => decimal(row.discountRatio),
  minQuantity: (row) => decimal(row.minQuantity),
  maxQuantity: (row) => decimal(row.maxQuantity),
});

const bundleShape = shape<BundleSettingsModel>()(variant, {
  maxBundleQuantity: (row) => ({ sql: sql`coalesce((${row.bundleSettings} -> 'maxBundleQuantity')::text, 'null')` }),
  minBundleQuantity: (row) => ({ sql: sql`coalesce((${row.bundleSettings} -> 'minBundleQuantity')::text, 'null')` }),
  products: (row, read) => many(read, bundleProductShape, (entry) => ({ where: ofVariant(entry, row), orderBy: [sql`${entry.position}`] })),
});

type OfVariant = { productId: typeof productPrice.productId; variantId: typeof productPrice.variantId };

/** Named by product too: that is how the rows of one variant lie together in the index. */
function ofVariant(row: object, owner: typeof variant): SQL[] {
  const { productId, variantId } = row as OfVariant;
  return [and(sql`${productId} = ${owner.productId}`, sql`${variantId} = ${owner.id}`)!];
}

export const variantShape = shape<Variant>()(variant, {
  ...recordFields(),
  id: (row) => id(row.id),
  sku: (row) => text(row.sku),
  barcodeList: (row) => texts(row.barcodeList) as Expression<string[]>,
  isActive: (row) => boolean(row.isActive),
  prices: (row, read) =>
    many(read, priceShape, (price) => ({ where: ofVariant(price, row), orderBy: [sql`${price.priceListId} nulls first`] })),
  stocks: (row, read) =>
    many(read, productStockLocationShape, (stock) => ({ where: [...ofVariant(stock, row), sql`not ${stock.deleted}`], orderBy: [sql`${stock.id}`] })),
  images: (row, read) => many(read, imageShape, (image) => ({ where: ofVariant(image, row), orderBy: [sql`${image.order}`, sql`${image.position}`] })),
  attributes: (row, read) =>
    many(read, attributeValueShape, (value) => ({ where: ofVariant(value, row), orderBy: [sql`${value.position}`] })),
  variantValueIds: (row, read) =>
    many(read, valueRelationShape, (value) => ({ where: ofVariant(value, row), orderBy: [sql`${value.position}`] })),
  sellIfOutOfStock: (row) => boolean(row.sellIfOutOfStock),
  weight: (row) => decimal(row.weight),
  unit: (row) => document<VariantUnitModel>(row.unit),
  hsCode: (row) => text(row.hsCode),
  fileId: (row) => text(row.fileId),
  bundleSettings: (row, read) => ({
    sql: sql`case when ${row.bundleSettings} is null then 'null' else ${record(read, bundleShape, row)} end`,
  }),
  subscriptionPlanId: (row) => text(row.subscriptionPlanId),
});

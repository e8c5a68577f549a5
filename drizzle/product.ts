import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import {
  amount,
  decimal,
  document,
  id,
  idList,
  instant,
  listedIds,
  merchantId,
  timestamps,
  type Translation,
} from './columns.ts';

export const productTypes = ['PHYSICAL', 'DIGITAL', 'BUNDLE', 'MEMBERSHIP', 'SUBSCRIPTION'] as const;

export const productUnitTypes = [
  'CENTILITER',
  'CENTIMETER',
  'CUBIC_METERS',
  'CUSTOM',
  'GRAM',
  'KILOGRAM',
  'LITER',
  'METER',
  'MILLIGRAM',
  'MILLILITER',
  'MILLIMETER',
  'SQUARE_METERS',
] as const;

type ProductUnitType = (typeof productUnitTypes)[number];

/**
 * Lists of value objects are stored as JSON in the shape of the input, with every member. An empty one is null: then a
 * row takes no room for it, and no entry in an index on its ids.
 */
export type StoredSalesChannel = {
  id: string;
  status: 'HIDDEN' | 'VISIBLE' | 'PASSIVE';
  maxQuantityPerCart: number | null;
  minQuantityPerCart: number | null;
  productVolumeDiscountId: string | null;
  quantitySettings: number[] | null;
};

export type StoredVariantType = { variantTypeId: string; order: number; variantValueIds: string[] };

export type StoredAttributeValue = {
  productAttributeId: string | null;
  productAttributeOptionId: string | null;
  value: string | null;
  imageIds: string[] | null;
};

/**
 * `priceListId` null: the base price, which comes first. `currency` null: the price list's, or the merchant's for the
 * base price.
 */
export type StoredPrice = {
  sellPrice: number;
  buyPrice: number | null;
  discountPrice: number | null;
  currency: string | null;
  priceListId: string | null;
};

/**
 * In the order in which they are shown. `sourceUrl`: where a bulk request had it from, so that the same request does
 * not fetch it again.
 */
export type StoredImage = {
  imageId: string;
  fileName: string | null;
  isMain: boolean;
  isVideo: boolean | null;
  order: number;
  sourceUrl: string | null;
};

export type StoredVariantValue = { variantTypeId: string; variantValueId: string };

export type StoredBundle = {
  maxBundleQuantity: number | null;
  minBundleQuantity: number | null;
  products: StoredBundleProduct[];
};

type StoredBundleProduct = {
  /** Made by the caller or, when empty, by the service; unique within the bundle. */
  id: string;
  productId: string;
  quantity: number;
  order: number;
  filteredVariantIds: string[];
  addToBundleBasePrice: boolean | null;
  discountRatio: number | null;
  minQuantity: number | null;
  maxQuantity: number | null;
};

/** New rows of an index that is read between writes: a long list of them would be read from end to end each time. */
const PENDING_LIST_KB = 512;

export const product = pgTable(
  'product',
  {
    merchantId: merchantId(),
    id: id(),
    /** Counts the saves; an optimistic lock for those who send it back. */
    version: integer('version').notNull().default(1),
    name: text('name').notNull(),
    type: text('type', { enum: productTypes }).notNull(),
    baseUnit: document<{ type: ProductUnitType; baseAmount?: number | null; unitId?: string | null }>('base_unit'),
    brandId: uuid('brand_id'),
    description: text('description'),
    shortDescription: text('short_description'),
    googleTaxonomyId: text('google_taxonomy_id'),
    groupVariantsByVariantTypeId: uuid('group_variants_by_variant_type_id'),
    maxQuantityPerCart: amount('max_quantity_per_cart'),
    productOptionSetId: text('product_option_set_id'),
    productVolumeDiscountId: text('product_volume_discount_id'),
    releaseDate: instant('release_date'),
    categoryIds: idList('category_ids'),
    tagIds: idList('tag_ids'),
    dynamicPriceListIds: idList('dynamic_price_list_ids'),
    salesChannelIds: idList('sales_channel_ids'),
    hiddenSalesChannelIds: idList('hidden_sales_channel_ids'),
    salesChannels: document<StoredSalesChannel[]>('sales_channels'),
    variantTypes: document<StoredVariantType[]>('variant_types'),
    attributes: document<StoredAttributeValue[]>('attributes'),
    attributeIds: listedIds('attribute_ids'),
    attributeImageIds: listedIds('attribute_image_ids'),
    subscriptionPlanId: text('subscription_plan_id'),
    translations: document<Translation[]>('translations'),
    vendorId: text('vendor_id'),
    weight: decimal('weight'),
    /** The caller's own key, as bulkUpdateProducts takes it. */
    sourceId: text('source_id'),
    ...timestamps(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    // Most products have neither: each index that a row stands in is written anew with each new `updatedAt`.
    uniqueIndex('product_source_id_key')
      .on(t.merchantId, t.sourceId)
      .where(sql`source_id is not null`),
    // Of a vendor or a brand the newest are read first, however many products it has.
    index('product_vendor')
      .on(t.merchantId, t.vendorId, sql`${t.createdAt} desc`, t.id, t.deleted)
      .where(sql`vendor_id is not null`),
    // For lists with and without what was deleted: measured, to pass over 90,000 deleted ones takes 3 ms.
    index('product_created').on(t.merchantId, sql`${t.createdAt} desc`, t.id, t.deleted),
    index('product_updated').on(t.merchantId, sql`${t.updatedAt} desc`, t.id, t.deleted),
    index('product_name').on(t.merchantId, sql`${t.name} collate "und-x-icu"`, t.id, t.deleted),
    index('product_brand_id').on(t.merchantId, t.brandId, sql`${t.createdAt} desc`, t.id, t.deleted),
    index('product_category_ids')
      .using('gin', t.merchantId, t.categoryIds)
      .with({ gin_pending_list_limit: PENDING_LIST_KB }),
    index('product_tag_ids').using('gin', t.merchantId, t.tagIds).with({ gin_pending_list_limit: PENDING_LIST_KB }),
    index('product_sales_channel_ids')
      .using('gin', t.merchantId, t.salesChannelIds)
      .with({ gin_pending_list_limit: PENDING_LIST_KB }),
    index('product_attribute_ids')
      .using('gin', t.merchantId, t.attributeIds)
      .where(sql`attribute_ids is not null`),
    // This and two of the variant's serve the removal of images that nothing refers to.
    index('product_attribute_image_ids')
      .using('gin', t.merchantId, t.attributeImageIds)
      .where(sql`attribute_image_ids is not null`),
  ],
);

export const variant = pgTable(
  'variant',
  {
    merchantId: merchantId(),
    id: id(),
    productId: uuid('product_id').notNull(),
    position: integer('position').notNull(),
    sku: text('sku'),
    barcodeList: text('barcode_list')
      .array()
      .notNull()
      .default(sql`'{}'`),
    isActive: boolean('is_active').notNull().default(true),
    sellIfOutOfStock: boolean('sell_if_out_of_stock'),
    weight: decimal('weight'),
    unit: document<{ amount?: number | null; type: ProductUnitType }>('unit'),
    hsCode: text('hs_code'),
    fileId: text('file_id'),
    subscriptionPlanId: text('subscription_plan_id'),
    /** One for each price list, and the base price. */
    prices: document<StoredPrice[]>('prices'),
    images: document<StoredImage[]>('images'),
    /** What the variant is: "Size L, Colour red". */
    variantValues: document<StoredVariantValue[]>('variant_values'),
    attributes: document<StoredAttributeValue[]>('attributes'),
    /** Null: the variant is no bundle. */
    bundle: document<StoredBundle>('bundle'),
    imageIds: listedIds('image_ids'),
    variantTypeIds: listedIds('variant_type_ids'),
    attributeIds: listedIds('attribute_ids'),
    attributeImageIds: listedIds('attribute_image_ids'),
    bundleProductIds: listedIds('bundle_product_ids'),
    sourceId: text('source_id'),
    ...timestamps(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    // In the order in which a product's variants are shown, so that none are sorted.
    index('variant_product').on(t.merchantId, t.productId, t.position),
    index('variant_sku').on(t.merchantId, t.sku),
    index('variant_barcode_list').using('gin', t.merchantId, t.barcodeList),
    index('variant_type_ids')
      .using('gin', t.merchantId, t.variantTypeIds)
      .where(sql`variant_type_ids is not null`),
    index('variant_attribute_ids')
      .using('gin', t.merchantId, t.attributeIds)
      .where(sql`attribute_ids is not null`),
    index('variant_bundle_product_ids')
      .using('gin', t.merchantId, t.bundleProductIds)
      .where(sql`bundle_product_ids is not null`),
    index('variant_image_ids')
      .using('gin', t.merchantId, t.imageIds)
      .where(sql`image_ids is not null`),
    index('variant_attribute_image_ids')
      .using('gin', t.merchantId, t.attributeImageIds)
      .where(sql`attribute_image_ids is not null`),
    foreignKey({
      name: 'variant_product_fk',
      columns: [t.merchantId, t.productId],
      foreignColumns: [product.merchantId, product.id],
    }).onDelete('cascade'),
  ],
);

import { sql } from 'drizzle-orm';
import { boolean, index, integer, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import {
  amount,
  decimal,
  document,
  idList,
  instant,
  listedIds,
  position,
  recordColumns,
  recordForeignKey,
  type Translation,
  SMALL_PENDING_LIST,
} from './columns.ts';
import type {
  ProductUnitType,
  StoredAttributeValue,
  StoredBundle,
  StoredImage,
  StoredPrice,
  StoredSalesChannel,
  StoredVariantType,
  StoredVariantValue,
} from './product-values.ts';
import { productTypeEnum } from './generated/enums.ts';
import { recordTable } from './table.ts';

export const product = recordTable(
  'product',
  {
    /** Number of saves, for optimistic locking by clients that send it back. */
    version: integer('version').notNull().default(1),
    name: text('name').notNull(),
    type: text('type', { enum: productTypeEnum }).notNull(),
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
    productVariantTypes: document<StoredVariantType[]>('product_variant_types'),
    attributes: document<StoredAttributeValue[]>('attributes'),
    attributeIds: listedIds('attribute_ids'),
    attributeImageIds: listedIds('attribute_image_ids'),
    subscriptionPlanId: text('subscription_plan_id'),
    translations: document<Translation[]>('translations'),
    vendorId: text('vendor_id'),
    weight: decimal('weight'),
    /** The client's own key, as in bulkUpdateProducts. */
    sourceId: text('source_id'),
    ...recordColumns(),
  },
  (t) => [
    // Partial: most products have neither, and each new `updatedAt` writes an entry in every index of the row.
    uniqueIndex('product_source_id_key')
      .on(t.merchantId, t.sourceId)
      .where(sql`source_id is not null`),
    // These four serve the newest products of a vendor or brand, and the newest without one, however many there are. A
    // product has one entry for each pair. Two indexes, because after `brand_id is null` Postgres does not use the
    // order of the next column of an index, and would sort all products without a brand.
    index('product_vendor')
      .on(t.merchantId, t.vendorId, sql`${t.createdAt} desc`, t.id, t.deleted)
      .where(sql`vendor_id is not null`),
    index('product_without_vendor')
      .on(t.merchantId, sql`${t.createdAt} desc`, t.id, t.deleted)
      .where(sql`vendor_id is null`),
    index('product_brand_id')
      .on(t.merchantId, t.brandId, sql`${t.createdAt} desc`, t.id, t.deleted)
      .where(sql`brand_id is not null`),
    index('product_without_brand')
      .on(t.merchantId, sql`${t.createdAt} desc`, t.id, t.deleted)
      .where(sql`brand_id is null`),
    // Serves lists with and without deleted products: skipping 90,000 deleted ones takes 3 ms, measured.
    index('product_created').on(t.merchantId, sql`${t.createdAt} desc`, t.id, t.deleted),
    index('product_updated').on(t.merchantId, sql`${t.updatedAt} desc`, t.id, t.deleted),
    index('product_name').on(t.merchantId, sql`${t.name} collate "und-x-icu"`, t.id, t.deleted),
    // One type may have nearly all products and another only a few.
    index('product_type').on(t.merchantId, t.type, sql`${t.createdAt} desc`, t.id, t.deleted),
    index('product_category_ids').using('gin', t.merchantId, t.categoryIds).with(SMALL_PENDING_LIST),
    index('product_tag_ids').using('gin', t.merchantId, t.tagIds).with(SMALL_PENDING_LIST),
    index('product_sales_channel_ids').using('gin', t.merchantId, t.salesChannelIds).with(SMALL_PENDING_LIST),
    index('product_attribute_ids')
      .using('gin', t.merchantId, t.attributeIds)
      .with(SMALL_PENDING_LIST)
      .where(sql`attribute_ids is not null`),
    // This and two indexes of `variant` serve the removal of unused images.
    index('product_attribute_image_ids')
      .using('gin', t.merchantId, t.attributeImageIds)
      .with(SMALL_PENDING_LIST)
      .where(sql`attribute_image_ids is not null`),
  ],
);

export const variant = recordTable(
  'variant',
  {
    productId: uuid('product_id').notNull(),
    position: position(),
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
    /** One price per price list, and the base price. */
    prices: document<StoredPrice[]>('prices'),
    images: document<StoredImage[]>('images'),
    /** The option values of the variant: "Size L, Colour red". */
    variantValueIds: document<StoredVariantValue[]>('variant_value_ids'),
    attributes: document<StoredAttributeValue[]>('attributes'),
    /** Null if the variant is not a bundle. */
    bundleSettings: document<StoredBundle>('bundle_settings'),
    imageIds: listedIds('image_ids'),
    variantTypeIds: listedIds('variant_type_ids'),
    attributeIds: listedIds('attribute_ids'),
    attributeImageIds: listedIds('attribute_image_ids'),
    bundleProductIds: listedIds('bundle_product_ids'),
    sourceId: text('source_id'),
    ...recordColumns(),
  },
  (t) => [
    // The id is not in this index, because PostgreSQL would sometimes scan the whole index to find a few ids, see
    // `sortIndexes`. Variants with equal positions are sorted by id after they are read, which takes 2 µs per product.
    index('variant_product').on(t.merchantId, t.productId, t.deleted, t.position),
    index('variant_sku').on(t.merchantId, t.sku),
    // Serves lists that are filtered by `sourceId` of variants. Partial, because most variants have none.
    index('variant_source_id')
      .on(t.merchantId, t.sourceId)
      .where(sql`source_id is not null`),
    index('variant_barcode_list').using('gin', t.merchantId, t.barcodeList).with(SMALL_PENDING_LIST),
    index('variant_type_ids')
      .using('gin', t.merchantId, t.variantTypeIds)
      .with(SMALL_PENDING_LIST)
      .where(sql`variant_type_ids is not null`),
    // Serves products of which no variant has an option.
    index('variant_without_type')
      .on(t.merchantId, t.productId)
      .where(sql`variant_type_ids is null`),
    index('variant_attribute_ids')
      .using('gin', t.merchantId, t.attributeIds)
      .with(SMALL_PENDING_LIST)
      .where(sql`attribute_ids is not null`),
    index('variant_bundle_product_ids')
      .using('gin', t.merchantId, t.bundleProductIds)
      .with(SMALL_PENDING_LIST)
      .where(sql`bundle_product_ids is not null`),
    index('variant_image_ids')
      .using('gin', t.merchantId, t.imageIds)
      .with(SMALL_PENDING_LIST)
      .where(sql`image_ids is not null`),
    index('variant_attribute_image_ids')
      .using('gin', t.merchantId, t.attributeImageIds)
      .with(SMALL_PENDING_LIST)
      .where(sql`attribute_image_ids is not null`),
    recordForeignKey('variant_product_fk', t, t.productId, product).onDelete('cascade'),
  ],
);

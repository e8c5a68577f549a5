import { sql } from 'drizzle-orm';
import { type AnyPgColumn, boolean, foreignKey, index, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { productAttribute, productAttributeOption } from './attribute.ts';
import { category } from './category.ts';
import { amount, decimal, document, id, merchantId, position } from './columns.ts';
import { priceList } from './price-list.ts';
import { product, variant } from './product.ts';
import { salesChannel } from './sales-channel.ts';
import { productTag } from './tag.ts';
import { variantType, variantValue } from './variant-type.ts';

/** What a product and its variants point at: each list in rows, so that the database holds the references. */

type Owned = { merchantId: AnyPgColumn; productId: AnyPgColumn };

const ofProduct = (name: string, t: Owned) =>
  foreignKey({ name, columns: [t.merchantId, t.productId], foreignColumns: [product.merchantId, product.id] }).onDelete('cascade');

const ofVariant = (name: string, t: Owned & { variantId: AnyPgColumn }) =>
  foreignKey({
    name,
    columns: [t.merchantId, t.productId, t.variantId],
    foreignColumns: [variant.merchantId, variant.productId, variant.id],
  }).onDelete('cascade');

const owner = () => ({ merchantId: merchantId(), productId: uuid('product_id').notNull() });
const variantOwner = () => ({ ...owner(), variantId: uuid('variant_id').notNull() });

export const productCategory = pgTable(
  'product_category',
  { ...owner(), categoryId: uuid('category_id').notNull(), position: position() },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.productId, t.categoryId] }),
    index('product_category_category').on(t.merchantId, t.categoryId, t.productId),
    ofProduct('product_category_product_fk', t),
    foreignKey({
      name: 'product_category_category_fk',
      columns: [t.merchantId, t.categoryId],
      foreignColumns: [category.merchantId, category.id],
    }),
  ],
);

export const productTagRelation = pgTable(
  'product_tag_relation',
  { ...owner(), tagId: uuid('tag_id').notNull(), position: position() },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.productId, t.tagId] }),
    index('product_tag_relation_tag').on(t.merchantId, t.tagId, t.productId),
    ofProduct('product_tag_relation_product_fk', t),
    foreignKey({
      name: 'product_tag_relation_tag_fk',
      columns: [t.merchantId, t.tagId],
      foreignColumns: [productTag.merchantId, productTag.id],
    }),
  ],
);

export const productDynamicPriceList = pgTable(
  'product_dynamic_price_list',
  { ...owner(), priceListId: uuid('price_list_id').notNull(), position: position() },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.productId, t.priceListId] }),
    ofProduct('product_dynamic_price_list_product_fk', t),
    foreignKey({
      name: 'product_dynamic_price_list_list_fk',
      columns: [t.merchantId, t.priceListId],
      foreignColumns: [priceList.merchantId, priceList.id],
    }),
  ],
);

/** Three lists of a product in one row a channel: salesChannelIds (`listed`), hiddenSalesChannelIds, salesChannels (`status`). */
export const productSalesChannel = pgTable(
  'product_sales_channel',
  {
    ...owner(),
    salesChannelId: uuid('sales_channel_id').notNull(),
    position: position(),
    listed: boolean('listed').notNull(),
    hidden: boolean('hidden').notNull(),
    status: text('status', { enum: ['HIDDEN', 'VISIBLE', 'PASSIVE'] }),
    maxQuantityPerCart: amount('max_quantity_per_cart'),
    minQuantityPerCart: amount('min_quantity_per_cart'),
    productVolumeDiscountId: text('product_volume_discount_id'),
    quantitySettings: document<number[]>('quantity_settings'),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.productId, t.salesChannelId] }),
    index('product_sales_channel_channel').on(t.merchantId, t.salesChannelId, t.productId),
    ofProduct('product_sales_channel_product_fk', t),
    foreignKey({
      name: 'product_sales_channel_channel_fk',
      columns: [t.merchantId, t.salesChannelId],
      foreignColumns: [salesChannel.merchantId, salesChannel.id],
    }),
  ],
);

/** The variant types a product uses. */
export const productVariantType = pgTable(
  'product_variant_type',
  { ...owner(), variantTypeId: uuid('variant_type_id').notNull(), position: position(), order: decimal('order').notNull() },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.productId, t.variantTypeId] }),
    index('product_variant_type_type').on(t.merchantId, t.variantTypeId, t.productId),
    ofProduct('product_variant_type_product_fk', t),
    foreignKey({
      name: 'product_variant_type_type_fk',
      columns: [t.merchantId, t.variantTypeId],
      foreignColumns: [variantType.merchantId, variantType.id],
    }),
  ],
);

/** The values of those types that the product uses. */
export const productVariantValue = pgTable(
  'product_variant_value',
  {
    ...owner(),
    variantTypeId: uuid('variant_type_id').notNull(),
    variantValueId: uuid('variant_value_id').notNull(),
    position: position(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.productId, t.variantTypeId, t.variantValueId] }),
    foreignKey({
      name: 'product_variant_value_use_fk',
      columns: [t.merchantId, t.productId, t.variantTypeId],
      foreignColumns: [productVariantType.merchantId, productVariantType.productId, productVariantType.variantTypeId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'product_variant_value_value_fk',
      columns: [t.merchantId, t.variantTypeId, t.variantValueId],
      foreignColumns: [variantValue.merchantId, variantValue.variantTypeId, variantValue.id],
    }),
  ],
);

/** What a variant is: "Size L, Colour red". */
export const variantValueRelation = pgTable(
  'variant_value_relation',
  {
    ...variantOwner(),
    variantTypeId: uuid('variant_type_id').notNull(),
    variantValueId: uuid('variant_value_id').notNull(),
    position: position(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.productId, t.variantId, t.variantTypeId, t.variantValueId] }),
    index('variant_value_relation_type').on(t.merchantId, t.variantTypeId, t.productId),
    index('variant_value_relation_value').on(t.merchantId, t.variantValueId, t.productId),
    ofVariant('variant_value_relation_variant_fk', t),
    foreignKey({
      name: 'variant_value_relation_value_fk',
      columns: [t.merchantId, t.variantTypeId, t.variantValueId],
      foreignColumns: [variantValue.merchantId, variantValue.variantTypeId, variantValue.id],
    }),
  ],
);

/** Attribute values of a product, and, where `variantId` is set, of one variant. */
export const productAttributeValue = pgTable(
  'product_attribute_value',
  {
    ...owner(),
    id: id(),
    variantId: uuid('variant_id'),
    position: position(),
    productAttributeId: uuid('product_attribute_id'),
    productAttributeOptionId: uuid('product_attribute_option_id'),
    value: text('value'),
    imageIds: text('image_ids').array(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    unique('product_attribute_value_place_key').on(t.merchantId, t.productId, t.variantId, t.position).nullsNotDistinct(),
    // For the sweep of pictures that nothing refers to.
    index('product_attribute_value_images').on(t.merchantId).where(sql`image_ids is not null`),
    index('product_attribute_value_attribute').on(t.merchantId, t.productAttributeId, t.productId),
    ofProduct('product_attribute_value_product_fk', t),
    foreignKey({
      name: 'product_attribute_value_variant_fk',
      columns: [t.merchantId, t.productId, t.variantId],
      foreignColumns: [variant.merchantId, variant.productId, variant.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'product_attribute_value_attribute_fk',
      columns: [t.merchantId, t.productAttributeId],
      foreignColumns: [productAttribute.merchantId, productAttribute.id],
    }),
    foreignKey({
      name: 'product_attribute_value_option_fk',
      columns: [t.merchantId, t.productAttributeOptionId],
      foreignColumns: [productAttributeOption.merchantId, productAttributeOption.id],
    }),
  ],
);

export const variantImage = pgTable(
  'variant_image',
  {
    ...variantOwner(),
    position: position(),
    imageId: text('image_id').notNull(),
    /** Where a bulk request had it from, so that the same request does not fetch it again. */
    sourceUrl: text('source_url'),
    fileName: text('file_name'),
    isMain: boolean('is_main').notNull(),
    isVideo: boolean('is_video'),
    order: decimal('order').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.productId, t.variantId, t.imageId] }),
    index('variant_image_image').on(t.merchantId, t.imageId),
    ofVariant('variant_image_variant_fk', t),
  ],
);

/** The products a bundle variant is made of. */
export const bundleProduct = pgTable(
  'bundle_product',
  {
    ...variantOwner(),
    /** Made by the caller or, when empty, by the service; unique within the bundle. */
    id: text('id').notNull(),
    position: position(),
    containedProductId: uuid('contained_product_id').notNull(),
    quantity: amount('quantity').notNull(),
    order: decimal('order').notNull(),
    filteredVariantIds: text('filtered_variant_ids').array().notNull(),
    addToBundleBasePrice: boolean('add_to_bundle_base_price'),
    discountRatio: decimal('discount_ratio'),
    minQuantity: amount('min_quantity'),
    maxQuantity: amount('max_quantity'),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.productId, t.variantId, t.id] }),
    index('bundle_product_contained').on(t.merchantId, t.containedProductId, t.productId),
    ofVariant('bundle_product_variant_fk', t),
    foreignKey({
      name: 'bundle_product_contained_fk',
      columns: [t.merchantId, t.containedProductId],
      foreignColumns: [product.merchantId, product.id],
    }),
  ],
);

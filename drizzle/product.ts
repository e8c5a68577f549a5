import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { amount, decimal, document, id, instant, merchantId, timestamps, type Translation } from './columns.ts';
import { productBrand } from './brand.ts';
import { variantType } from './variant-type.ts';

export const productTypes = ['PHYSICAL', 'DIGITAL', 'BUNDLE', 'MEMBERSHIP', 'SUBSCRIPTION'] as const;

export const productUnitTypes = [
  'CENTILITER', 'CENTIMETER', 'CUBIC_METERS', 'CUSTOM', 'GRAM', 'KILOGRAM',
  'LITER', 'METER', 'MILLIGRAM', 'MILLILITER', 'MILLIMETER', 'SQUARE_METERS',
] as const;

type ProductUnitType = (typeof productUnitTypes)[number];

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
    uniqueIndex('product_source_id_key').on(t.merchantId, t.sourceId).where(sql`source_id is not null`),
    index('product_vendor').on(t.merchantId, t.vendorId).where(sql`vendor_id is not null`),
    // For lists with and without what was deleted: measured, to pass over 90,000 deleted ones takes 3 ms.
    index('product_created').on(t.merchantId, sql`${t.createdAt} desc`, t.id, t.deleted),
    index('product_updated').on(t.merchantId, sql`${t.updatedAt} desc`, t.id, t.deleted),
    index('product_name').on(t.merchantId, sql`${t.name} collate "und-x-icu"`, t.id, t.deleted),
    index('product_brand_id').on(t.merchantId, t.brandId, t.id),
    foreignKey({
      name: 'product_brand_fk',
      columns: [t.merchantId, t.brandId],
      foreignColumns: [productBrand.merchantId, productBrand.id],
    }),
    foreignKey({
      name: 'product_group_variant_type_fk',
      columns: [t.merchantId, t.groupVariantsByVariantTypeId],
      foreignColumns: [variantType.merchantId, variantType.id],
    }),
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
    barcodeList: text('barcode_list').array().notNull().default(sql`'{}'`),
    isActive: boolean('is_active').notNull().default(true),
    sellIfOutOfStock: boolean('sell_if_out_of_stock'),
    weight: decimal('weight'),
    unit: document<{ amount?: number | null; type: ProductUnitType }>('unit'),
    hsCode: text('hs_code'),
    fileId: text('file_id'),
    subscriptionPlanId: text('subscription_plan_id'),
    /** Null: the variant is no bundle. */
    bundleSettings: document<{ maxBundleQuantity?: number | null; minBundleQuantity?: number | null }>('bundle_settings'),
    sourceId: text('source_id'),
    ...timestamps(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    uniqueIndex('variant_product_key').on(t.merchantId, t.productId, t.id),
    index('variant_sku').on(t.merchantId, t.sku),
    index('variant_barcode_list').using('gin', t.merchantId, t.barcodeList),
    foreignKey({
      name: 'variant_product_fk',
      columns: [t.merchantId, t.productId],
      foreignColumns: [product.merchantId, product.id],
    }).onDelete('cascade'),
  ],
);

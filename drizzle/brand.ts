import { sql } from 'drizzle-orm';
import { foreignKey, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { document, id, merchantId, position, timestamps, type Translation } from './columns.ts';
import { productsOrderTypes } from './category.ts';
import { salesChannel } from './sales-channel.ts';

export const productBrand = pgTable(
  'product_brand',
  {
    merchantId: merchantId(),
    id: id(),
    name: text('name').notNull(),
    description: text('description'),
    imageId: text('image_id'),
    orderType: text('order_type', { enum: productsOrderTypes }),
    translations: document<Translation[]>('translations'),
    ...timestamps(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    uniqueIndex('product_brand_name_key').on(t.merchantId, t.name).where(sql`not deleted`),
    index('product_brand_created').on(t.merchantId, sql`${t.createdAt} desc`, t.id),
  ],
);

export const productBrandSalesChannel = pgTable(
  'product_brand_sales_channel',
  {
    merchantId: merchantId(),
    brandId: uuid('brand_id').notNull(),
    salesChannelId: uuid('sales_channel_id').notNull(),
    position: position(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.brandId, t.salesChannelId] }),
    foreignKey({
      name: 'product_brand_sales_channel_brand_fk',
      columns: [t.merchantId, t.brandId],
      foreignColumns: [productBrand.merchantId, productBrand.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'product_brand_sales_channel_channel_fk',
      columns: [t.merchantId, t.salesChannelId],
      foreignColumns: [salesChannel.merchantId, salesChannel.id],
    }),
  ],
);

import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { document, id, idList, merchantId, timestamps, type Translation } from './columns.ts';
import { productsOrderTypes } from './category.ts';

export const productBrand = pgTable(
  'product_brand',
  {
    merchantId: merchantId(),
    id: id(),
    name: text('name').notNull(),
    description: text('description'),
    imageId: text('image_id'),
    orderType: text('order_type', { enum: productsOrderTypes }),
    salesChannelIds: idList('sales_channel_ids'),
    translations: document<Translation[]>('translations'),
    ...timestamps(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    uniqueIndex('product_brand_name_key')
      .on(t.merchantId, t.name)
      .where(sql`not deleted`),
    index('product_brand_created').on(t.merchantId, sql`${t.createdAt} desc`, t.id),
  ],
);

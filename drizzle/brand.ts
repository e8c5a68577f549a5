import { sql } from 'drizzle-orm';
import { primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { document, id, idList, merchantId, recordColumns, sortIndexes, type Translation } from './columns.ts';
import { categoryProductsOrderTypeEnum } from './generated/enums.ts';
import { pgTable } from './table.ts';

export const productBrand = pgTable(
  'product_brand',
  {
    merchantId: merchantId(),
    id: id(),
    name: text('name').notNull(),
    description: text('description'),
    imageId: text('image_id'),
    orderType: text('order_type', { enum: categoryProductsOrderTypeEnum }),
    salesChannelIds: idList('sales_channel_ids'),
    translations: document<Translation[]>('translations'),
    ...recordColumns(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    uniqueIndex('product_brand_name_key')
      .on(t.merchantId, t.name)
      .where(sql`not deleted`),
    ...sortIndexes('product_brand', t),
  ],
);

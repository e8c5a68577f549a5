import { sql } from 'drizzle-orm';
import { text, uniqueIndex } from 'drizzle-orm/pg-core';
import { document, idList, recordColumns, sortIndexes, type Translation } from './columns.ts';
import { categoryProductsOrderTypeEnum } from './generated/enums.ts';
import { recordTable } from './table.ts';

export const productBrand = recordTable(
  'product_brand',
  {
    name: text('name').notNull(),
    description: text('description'),
    imageId: text('image_id'),
    orderType: text('order_type', { enum: categoryProductsOrderTypeEnum }),
    salesChannelIds: idList('sales_channel_ids'),
    translations: document<Translation[]>('translations'),
    ...recordColumns(),
  },
  (t) => [
    uniqueIndex('product_brand_name_key')
      .on(t.merchantId, t.name)
      .where(sql`not deleted`),
    ...sortIndexes('product_brand', t),
  ],
);

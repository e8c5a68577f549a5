import { sql } from 'drizzle-orm';
import { primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { document, id, merchantId, recordColumns, sortIndexes, type Translation } from './columns.ts';
import { pgTable } from './table.ts';

export const productTag = pgTable(
  'product_tag',
  {
    merchantId: merchantId(),
    id: id(),
    name: text('name').notNull(),
    translations: document<Translation[]>('translations'),
    ...recordColumns(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    uniqueIndex('product_tag_name_key')
      .on(t.merchantId, t.name)
      .where(sql`not deleted`),
    ...sortIndexes('product_tag', t),
  ],
);

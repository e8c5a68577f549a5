import { sql } from 'drizzle-orm';
import { text, uniqueIndex } from 'drizzle-orm/pg-core';
import { document, recordColumns, sortIndexes, type Translation } from './columns.ts';
import { recordTable } from './table.ts';

export const productTag = recordTable(
  'product_tag',
  {
    name: text('name').notNull(),
    translations: document<Translation[]>('translations'),
    ...recordColumns(),
  },
  (t) => [
    uniqueIndex('product_tag_name_key')
      .on(t.merchantId, t.name)
      .where(sql`not deleted`),
    ...sortIndexes('product_tag', t),
  ],
);

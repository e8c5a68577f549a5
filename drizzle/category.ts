import { sql } from 'drizzle-orm';
import { boolean, index, text, uuid } from 'drizzle-orm/pg-core';
import { document, idList, recordColumns, recordForeignKey, sortIndexes, type Translation } from './columns.ts';
import { categoryProductsOrderTypeEnum, type salesChannelStatusEnum } from './generated/enums.ts';
import { recordTable } from './table.ts';

export type StoredCategoryChannel = { id: string; status: (typeof salesChannelStatusEnum)[number] };

export const category = recordTable(
  'category',
  {
    name: text('name').notNull(),
    parentId: uuid('parent_id'),
    /** Ids of all ancestors, root first. Only saveCategory moves categories and updates it. */
    path: uuid('path')
      .array()
      .notNull()
      .default(sql`'{}'`),
    conditions: document<{ conditionType: string; method?: string | null; valueList: string[] }[]>('conditions'),
    description: text('description'),
    imageId: text('image_id'),
    isAutomated: boolean('is_automated'),
    /**
     * True if `isAutomated` is true and `conditions` is not empty. The category then lists the products that meet its
     * conditions, and not those whose `categoryIds` name it. The trigger `fill_category_by_conditions` sets the column.
     */
    byConditions: boolean('by_conditions').notNull().default(false),
    orderType: text('order_type', { enum: categoryProductsOrderTypeEnum }),
    salesChannelIds: idList('sales_channel_ids'),
    /** Null for an empty list. */
    salesChannels: document<StoredCategoryChannel[]>('sales_channels'),
    shouldMatchAllConditions: boolean('should_match_all_conditions'),
    translations: document<Translation[]>('translations'),
    ...recordColumns(),
  },
  (t) => [
    index('category_parent').on(t.merchantId, t.parentId, t.name),
    index('category_path').using('gin', t.path),
    index('category_by_conditions')
      .on(t.merchantId, t.id)
      .where(sql`by_conditions`),
    ...sortIndexes('category', t),
    recordForeignKey('category_parent_fk', t, t.parentId, t),
  ],
);

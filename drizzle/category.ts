import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { document, id, merchantId, position, timestamps, type Translation } from './columns.ts';
import { salesChannel } from './sales-channel.ts';

export const productsOrderTypes = [
  'BEST_SELLER', 'HIGHEST_DISCOUNT_RATIO', 'HIGHEST_PRICE', 'LOWEST_DISCOUNT_RATIO', 'LOWEST_PRICE',
  'MANUALLY', 'NAME_ASC', 'NAME_DESC', 'NEWEST', 'OLDEST',
] as const;

export const category = pgTable(
  'category',
  {
    merchantId: merchantId(),
    id: id(),
    name: text('name').notNull(),
    parentId: uuid('parent_id'),
    /** Ids of all ancestors, root first. Kept by saveCategory, which alone moves categories. */
    path: uuid('path').array().notNull().default(sql`'{}'`),
    conditions: document<{ conditionType: string; method?: string | null; valueList: string[] }[]>('conditions'),
    description: text('description'),
    imageId: text('image_id'),
    isAutomated: boolean('is_automated'),
    orderType: text('order_type', { enum: productsOrderTypes }),
    shouldMatchAllConditions: boolean('should_match_all_conditions'),
    translations: document<Translation[]>('translations'),
    ...timestamps(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    index('category_parent').on(t.merchantId, t.parentId, t.name),
    index('category_path').using('gin', t.path),
    index('category_created').on(t.merchantId, sql`${t.createdAt} desc`, t.id),
    foreignKey({
      name: 'category_parent_fk',
      columns: [t.merchantId, t.parentId],
      foreignColumns: [t.merchantId, t.id],
    }),
  ],
);

/** `listed`: the channel is in the category's salesChannelIds. `status`: it is in its salesChannels. */
export const categorySalesChannel = pgTable(
  'category_sales_channel',
  {
    merchantId: merchantId(),
    categoryId: uuid('category_id').notNull(),
    salesChannelId: uuid('sales_channel_id').notNull(),
    position: position(),
    listed: boolean('listed').notNull(),
    status: text('status', { enum: ['HIDDEN', 'VISIBLE', 'PASSIVE'] }),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.categoryId, t.salesChannelId] }),
    foreignKey({
      name: 'category_sales_channel_category_fk',
      columns: [t.merchantId, t.categoryId],
      foreignColumns: [category.merchantId, category.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'category_sales_channel_channel_fk',
      columns: [t.merchantId, t.salesChannelId],
      foreignColumns: [salesChannel.merchantId, salesChannel.id],
    }),
  ],
);

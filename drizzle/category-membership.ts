import { pgSequence, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { instant, merchantId, transactionId } from './columns.ts';
import { pgTable, recordTable } from './table.ts';

/**
 * Queue of products that must be compared again with the conditions of automated categories. Triggers insert a row in
 * the transaction that changes the product, if the merchant has automated categories. A product may have several rows:
 * a unique key would make transactions that change the same product wait for each other.
 *
 * A queue beside `product_search_pending`, because each reader removes its own rows: a search writes the documents of
 * its merchant at once, while a comparison may take many turns. Prices are queued here only, and only for merchants
 * with automated categories: 1,000 new prices of others queue nothing.
 */
export const membershipPendingProduct = recordTable('membership_pending_product', {
  productId: uuid('product_id').notNull(),
});

/**
 * Queue of categories whose conditions have changed. The worker compares all products of the merchant with them, in the
 * order of the product ids, and stores in `afterProductId` how far it has come. If a category has several rows, only
 * the one with the smallest `afterProductId` is used.
 */
export const membershipPendingCategory = recordTable('membership_pending_category', {
  categoryId: uuid('category_id').notNull(),
  afterProductId: uuid('after_product_id').notNull().default('00000000-0000-0000-0000-000000000000'),
});

/** When the worker was last notified of pending products or categories, in milliseconds since 1970. */
export const categoryMembershipWakeUp = pgSequence('category_membership_wake_up');

/**
 * Categories that have become automated. The worker compares such a category with all products a second time when
 * `transactionId` and all older transactions have ended: a transaction that changed products before the category was
 * committed may have found no automated category, and then has not queued its products. The worker sets
 * `transactionId` after the category was committed.
 */
export const membershipRecheck = recordTable('membership_recheck', {
  categoryId: uuid('category_id').notNull(),
  transactionId: transactionId('transaction_id'),
  createdAt: instant('created_at').notNull().defaultNow(),
});

/**
 * One row per merchant. A worker locks it while it compares products of the merchant with conditions. Without the lock,
 * a slow worker could overwrite the result of another one with what it had read before a change.
 */
export const membershipLock = pgTable('membership_lock', { merchantId: merchantId() }, (t) => [
  primaryKey({ columns: [t.merchantId] }),
]);

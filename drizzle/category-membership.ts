import { pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { id, merchantId } from './columns.ts';

/**
 * Queue of products that may meet other conditions of categories than before. Triggers insert a row in the transaction
 * of a change, if the merchant has automated categories. A product may have several rows. Transactions do not wait for
 * each other's rows.
 */
export const membershipPendingProduct = pgTable(
  'membership_pending_product',
  { merchantId: merchantId(), id: id(), productId: uuid('product_id').notNull() },
  (t) => [primaryKey({ columns: [t.merchantId, t.id] })],
);

/**
 * Queue of categories whose conditions have changed. All products are compared with them, in the order of their ids;
 * those up to `afterProductId` have been. A category may have several rows, of which the newest counts.
 */
export const membershipPendingCategory = pgTable(
  'membership_pending_category',
  {
    merchantId: merchantId(),
    id: id(),
    categoryId: uuid('category_id').notNull(),
    afterProductId: uuid('after_product_id').notNull().default('00000000-0000-0000-0000-000000000000'),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.id] })],
);

/**
 * A row that is locked while products of its merchant are compared with conditions. Otherwise a slow worker could write
 * what it read before a change, after another worker has handled that change.
 */
export const membershipLock = pgTable('membership_lock', { merchantId: merchantId() }, (t) => [
  primaryKey({ columns: [t.merchantId] }),
]);

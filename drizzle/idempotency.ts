import { sql } from 'drizzle-orm';
import { bigint, index, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, merchantId } from './columns.ts';
import { pgTable } from './table.ts';

/**
 * A request with an idempotency key, and its response. There is no foreign key to the app: each transaction with a key would
 * lock the app's row, and concurrent ones would need a multixact each.
 */
export const idempotencyKey = pgTable(
  'idempotency_key',
  {
    merchantId: merchantId(),
    authorizedAppId: uuid('authorized_app_id').notNull(),
    key: text('key').notNull(),
    /** Lower-case hex SHA-256 of the request. */
    contentHash: text('content_hash').notNull(),
    /**
     * Status, headers and body as JSON, in the two lines of `storedText`. Null while the request runs; only its own
     * transaction sees that. Empty if a customer was erased whose values it had.
     */
    answer: text('answer'),
    /** The customers whose values the answer may have. Null without any. */
    customerIds: uuid('customer_ids').array(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.authorizedAppId, t.key] }),
    // The removal of expired keys reads all merchants in order of time.
    index('idempotency_key_expiry').on(t.expiresAt, t.merchantId),
    index('idempotency_key_customers')
      .using('gin', t.merchantId, t.customerIds)
      .where(sql`customer_ids is not null`),
  ],
);

/** The bytes of the stored responses of a merchant, by the hour in which the last of them expires. */
export const idempotencyUsage = pgTable(
  'idempotency_usage',
  {
    merchantId: merchantId(),
    expiresAt: instant('expires_at').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.expiresAt] }),
    // The removal of expired keys reads all merchants in order of time.
    index('idempotency_usage_expiry').on(t.expiresAt, t.merchantId),
  ],
);

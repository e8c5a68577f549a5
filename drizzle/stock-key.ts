import { index, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, merchantId } from './columns.ts';
import { pgTable } from './table.ts';

/** The keys of entries that changed or held stock. The row is written in the transaction of the entry. */
export const stockKey = pgTable(
  'stock_key',
  {
    merchantId: merchantId(),
    key: text('key').notNull(),
    /** Lower-case hex SHA-256 of the entry. */
    contentHash: text('content_hash').notNull(),
    /** The movements, or the hold, that the entry made. */
    recordIds: uuid('record_ids').array().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.key] }),
    // The removal of old keys reads all merchants in order of time.
    index('stock_key_age').on(t.createdAt, t.merchantId),
  ],
);

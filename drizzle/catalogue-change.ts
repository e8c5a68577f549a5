import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { merchantId, transactionId } from './columns.ts';

/**
 * Which tables of a merchant's catalogue a transaction has written, so that whoever remembers what it has read
 * learns that it has changed. Triggers write it, whoever it is that changes the catalogue; no two transactions
 * ever wait for each other. Rows are needed for minutes.
 */
export const catalogueChange = pgTable(
  'catalogue_change',
  {
    merchantId: merchantId(),
    transactionId: transactionId('transaction_id').notNull(),
    tableName: text('table_name').notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.transactionId, t.tableName] })],
);

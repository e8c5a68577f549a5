import { sql } from 'drizzle-orm';
import { index, uuid } from 'drizzle-orm/pg-core';
import { document, instant } from './columns.ts';
import type { erasurePlaceEnum } from './generated/enums.ts';
import { recordTable } from './table.ts';

export type ErasureItem = { place: (typeof erasurePlaceEnum)[number]; count: number };

/** A receipt: which customers were erased when, and how many copies of their values. It has nothing personal. */
export const erasure = recordTable(
  'erasure',
  {
    customerIds: uuid('customer_ids').array().notNull(),
    items: document<ErasureItem[]>('items').notNull(),
    createdAt: instant('created_at').notNull(),
    /** When the receipt was written outside the database. Null before, and without ERASURE_LOG. */
    copiedAt: instant('copied_at'),
  },
  (t) => [
    index('erasure_created').on(t.merchantId, sql`${t.createdAt} desc`, t.id),
    // Finds the receipt of an erased customer whose row was removed by plain SQL.
    index('erasure_customers').using('gin', t.merchantId, t.customerIds),
    // The worker reads the receipts of all merchants that have no copy.
    index('erasure_without_copy')
      .on(t.createdAt, t.merchantId)
      .where(sql`copied_at is null`),
  ],
);

import { boolean, numeric, timestamp, uuid } from 'drizzle-orm/pg-core';

/** The first column of every key: a row cannot point into another merchant's shop. */
export const merchantId = () => uuid('merchant_id').notNull();

/** UUID version 7. The service makes it; the default serves rows written by plain SQL. */
export const id = () => uuid('id').notNull().$defaultFn(() => crypto.randomUUID());

/** Milliseconds, as the Timestamp scalar has them, so that a cursor names exactly one instant. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'string' });

export const timestamps = () => ({
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
  deleted: boolean('deleted').notNull().default(false),
});

/** Exact decimals for money and stock: never a binary float. */
export const decimal = (name: string) => numeric(name, { mode: 'number' });

import { sql } from 'drizzle-orm';
import { boolean, customType, integer, numeric, text, timestamp, uuid } from 'drizzle-orm/pg-core';

/** The first column of every key: a row cannot point into another merchant's shop. */
export const merchantId = () => uuid('merchant_id').notNull();

/** UUID version 7. The service makes it; the default serves rows written by plain SQL. */
export const id = () =>
  uuid('id')
    .notNull()
    .default(sql`uuid_v7()`);

/** Milliseconds, as the Timestamp scalar has them, so that a cursor names exactly one instant. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'string' });

export const timestamps = () => ({
  createdAt: instant('created_at')
    .notNull()
    .default(sql`now()`),
  updatedAt: instant('updated_at')
    .notNull()
    .default(sql`now()`),
  deleted: boolean('deleted').notNull().default(false),
});

/** Money, counts and quantities: src/decimal.ts refuses what would be rounded here. */
export const amount = (name: string) => numeric(name, { mode: 'number', precision: 19, scale: 6 });

/** Weights, ratios and places in an order: as many decimals as were sent, never a binary float. */
export const decimal = (name: string) => numeric(name, { mode: 'number' });

/** Ids of records in the order in which they were sent. Checked when they are written; records are deleted softly. */
export const idList = (name: string) =>
  uuid(name)
    .array()
    .notNull()
    .default(sql`'{}'`);

/**
 * Ids inside a stored list of value objects, kept beside it for filters and their indexes. A trigger fills them before
 * a row is written, by plain SQL too. They are no generated columns: where an update needs none of these made anew,
 * Postgres 18 still parses the expressions of all of them for each row (ExecInitGenerated). That was more than half of
 * 1,000 new prices.
 */
export const listedIds = (name: string) => text(name).array();
export const filledByTrigger = [
  'attributeIds',
  'attributeImageIds',
  'imageIds',
  'variantTypeIds',
  'bundleProductIds',
] as const;

/** Where a row stands in its record's list, counted from 0. */
export const position = () => integer('position').notNull();

/** The text of a value object exactly as it was written: `json`, not `jsonb`, keeps member order. */
export const document = <T>(name: string) =>
  customType<{ data: T; driverData: string }>({ dataType: () => 'json' })(name);

/** The transaction that wrote a row, to be compared with others and with snapshots. */
export const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' });

export type Translation = { locale: string; name?: string | null; description?: string | null };

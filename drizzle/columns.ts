import { type SQL, sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  customType,
  type ExtraConfigColumn,
  foreignKey,
  index,
  integer,
  numeric,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';

/** The first column of every key, so that no row can refer to another merchant's row. */
export const merchantId = () => uuid('merchant_id').notNull();

/** UUID version 7. The service sets it; the default is for rows written by plain SQL. */
export const id = () =>
  uuid('id')
    .notNull()
    .default(sql`uuid_v7()`);

/** Milliseconds, the precision of the Timestamp scalar, so that a cursor identifies exactly one instant. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'string' });

/** The times of a record, and whether it is deleted. */
export const recordColumns = () => ({
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
  deleted: boolean('deleted').notNull().default(false),
});

/**
 * For GIN indexes that are read between writes. Such an index has a list of new entries, of all merchants and by default
 * up to 4 MB, that each read scans as a whole. A plan that is made while the list is long does not use the index.
 */
export const SMALL_PENDING_LIST = { gin_pending_list_limit: 512 };

type Sorted = Record<'merchantId' | 'id' | 'createdAt' | 'updatedAt' | 'name', ExtraConfigColumn>;

/**
 * One index for each field by which `pageOperation` sorts: `createdAt`, `updatedAt` and `name`. Each serves both
 * directions. The indexes on `updatedAt` and `name` do not contain the id, and Postgres sorts records with equal values
 * by id after reading them. If the index on `name` contained the id, Postgres could find the names of a few ids in this
 * index alone. It would then scan all entries of the merchant instead of using the primary key, because in a
 * generic plan it estimates that each merchant has only a few records.
 */
export const sortIndexes = (table: string, t: Sorted) => [
  index(`${table}_created`).on(t.merchantId, sql`${t.createdAt} desc`, t.id),
  index(`${table}_updated`).on(t.merchantId, sql`${t.updatedAt} desc`),
  index(`${table}_name`).on(t.merchantId, sql`${t.name} collate "und-x-icu"`),
];

/** Money, counts and quantities. src/values/decimal.ts refuses values that would be rounded here. */
export const amount = (name: string) => numeric(name, { mode: 'number', precision: 19, scale: 6 });

/** Weights, ratios and positions, with as many decimals as were sent; never a binary float. */
export const decimal = (name: string) => numeric(name, { mode: 'number' });

/**
 * Ids of records in the order they were sent. Checked when they are written. Records are deleted softly, so they stay
 * valid.
 */
export const idList = (name: string) =>
  uuid(name)
    .array()
    .notNull()
    .default(sql`'{}'`);

/**
 * Ids inside a stored list of value objects, in a column of their own for filters and indexes. A trigger fills it
 * before a row is written, by plain SQL too. Not a generated column: Postgres 18 parses the expressions of all
 * generated columns of an updated row, even if none has to be computed (ExecInitGenerated). That took more than half of
 * the time of 1,000 price changes. `npm run codegen` writes the function of the trigger.
 */
export const listedIds = (name: string) => text(name).array();

/** The path of the ids of each such column in the row, by the names of the SDL. */
export const listedIdPaths = {
  attributeIds: 'attributes.productAttributeId',
  attributeImageIds: 'attributes.imageIds',
  imageIds: 'images.imageId',
  variantTypeIds: 'variantValueIds.variantTypeId',
  bundleProductIds: 'bundleSettings.products.productId',
} as const;

/**
 * For columns of ids: another member of the same objects, whose text may also contain ids. An attribute of the type IMAGE
 * may name its images in `value`.
 */
export const textsWithIds: Partial<Record<keyof typeof listedIdPaths, string>> = { attributeImageIds: 'value' };

export const filledByTrigger = [
  ...(Object.keys(listedIdPaths) as (keyof typeof listedIdPaths)[]),
  'byConditions',
] as const;

/** Position in the record's list, from 0. */
export const position = () => integer('position').notNull();

/** The text of a value object exactly as it was written: `json` keeps the order of members, `jsonb` does not. */
export const document = <T>(name: string) =>
  customType<{ data: T; driverData: string }>({ dataType: () => 'json' })(name);

/** The transaction that wrote the row. Another server can have another transaction with the same id. */
export const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' });

export type Translation = { locale: string; name?: string | null; description?: string | null };

/**
 * A text that is compared without regard to case in the root locale. Lower case has two
 * letters for sigma, one of them for the end of a word; both are compared as the same letter.
 */
export const withoutCase = (text: SQL): SQL => sql`translate(lower(${text} collate "und-x-icu"), 'ς', 'σ')`;

/** A foreign key to a record of the same merchant. */
export const recordForeignKey = (
  name: string,
  t: { merchantId: AnyPgColumn },
  column: AnyPgColumn,
  to: Record<'merchantId' | 'id', AnyPgColumn>,
) => foreignKey({ name, columns: [t.merchantId, column], foreignColumns: [to.merchantId, to.id] });

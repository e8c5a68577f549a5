import { type GetColumnData, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

/**
 * A timestamptz column as milliseconds since the epoch, for rows read without a projection. Without a time zone,
 * because `extract` of a timestamptz is not immutable: a cluster refuses it in SET and RETURNING.
 */
export function epochMs<Column extends AnyPgColumn>(
  column: Column,
): SQL<null extends GetColumnData<Column> ? number | null : number> {
  return sql`(extract(epoch from ${column} at time zone 'UTC') * 1000)::float8`;
}

/**
 * The time of the transaction as an item of FROM, for statements that write. A cluster refuses `now()` in RETURNING,
 * CASE and COALESCE, and beside columns in SET; `moment.at` it accepts everywhere.
 */
export const moment = sql`(select now() as at) as moment`;

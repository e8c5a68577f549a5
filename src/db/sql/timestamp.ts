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

export const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
export const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The instant as timestamptz text, or null outside of the years 1 to 9999, which JavaScript writes in a format that
 * Postgres does not read.
 */
export function timestamptzText(ms: number): string | null {
  return ms >= EARLIEST_MS && ms <= LATEST_MS ? new Date(ms).toISOString() : null;
}

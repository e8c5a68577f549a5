import { type GetColumnData, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

/** An instant as the API tells it, for rows that are read without a shape. */
export function epochMs<Column extends AnyPgColumn>(
  column: Column,
): SQL<null extends GetColumnData<Column> ? number | null : number> {
  return sql`(extract(epoch from ${column}) * 1000)::float8`;
}

const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** The instant as Postgres reads it, or null outside the years 1 to 9999: JavaScript writes those in a form that Postgres refuses. */
export function timestamptzText(ms: number): string | null {
  return ms >= EARLIEST_MS && ms <= LATEST_MS ? new Date(ms).toISOString() : null;
}

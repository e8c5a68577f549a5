import { type GetColumnData, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

/** An instant as the API tells it, for rows that are read without a shape. */
export function milliseconds<Column extends AnyPgColumn>(column: Column): SQL<null extends GetColumnData<Column> ? number | null : number> {
  return sql`(extract(epoch from ${column}) * 1000)::float8`;
}

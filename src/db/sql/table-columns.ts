import { getTableColumns } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';

/** The columns of a table by their names in TypeScript, for statements that are made for any table. */
export function columnsOf(table: PgTable): Record<string, AnyPgColumn> {
  return getTableColumns(table);
}

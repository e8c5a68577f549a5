import { getTableColumns } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import { filledByTrigger } from '../../../drizzle/columns.ts';

/** Columns of a record that the service does not write: the merchant, the timestamps, and what triggers fill. */
export const unwritten = ['merchantId', 'createdAt', 'updatedAt', ...filledByTrigger] as const;

/** The columns of a table by their names in TypeScript, for statements that are made for any table. */
export function columnsOf(table: PgTable): Record<string, AnyPgColumn> {
  return getTableColumns(table);
}

/** The columns that the service writes and reads back as a stored row. */
export function writtenColumns(table: PgTable): [member: string, column: AnyPgColumn][] {
  return Object.entries(columnsOf(table)).filter(
    ([member, { generated }]) => !(unwritten as readonly string[]).includes(member) && !generated,
  );
}

export function isListColumn(column: AnyPgColumn): boolean {
  return column.getSQLType().endsWith('[]');
}

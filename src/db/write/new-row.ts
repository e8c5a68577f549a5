import { type InferInsertModel, is, SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { TenantTable } from '../read/projection.ts';
import { newId } from '../sql/id.ts';
import { isListColumn, writtenColumns } from '../sql/table-columns.ts';
import type { StoredRow } from './stored-rows.ts';

/** The columns of a stored row that a new record may leave out. */
type DefaultColumn<Table extends TenantTable> = {
  [Member in keyof StoredRow<Table>]: undefined extends InferInsertModel<Table>[Member & keyof InferInsertModel<Table>]
    ? Member
    : never;
}[keyof StoredRow<Table>];

export type NewRow<Table extends TenantTable> = Pick<StoredRow<Table>, DefaultColumn<Table>>;

/**
 * Makes new records of a table before their input is merged: with the default of each column that has one. They have
 * the same members as stored rows, because one statement writes both.
 */
export function newRowOf<Table extends TenantTable>(table: Table): () => NewRow<Table> {
  const defaults = Object.fromEntries(writtenColumns(table).flatMap(([member, column]) => defaultOf(member, column)));
  return () => ({ ...defaults, id: newId() }) as unknown as NewRow<Table>;
}

function defaultOf(member: string, column: AnyPgColumn): [string, unknown][] {
  if (!column.notNull) return [[member, null]];
  if (isListColumn(column)) return column.hasDefault ? [[member, Object.freeze([])]] : [];
  if (is(column.default, SQL) && member !== 'id') throw new Error(`The default of ${column.name} is not a value.`);
  return column.hasDefault && member !== 'id' ? [[member, column.default]] : [];
}

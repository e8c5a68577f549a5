import { type InferInsertModel, is, sql, SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Context, MerchantContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { pipeline, type PipelineStep, pipelineStep } from '../connection/pipeline.ts';
import type { RecordTable, TenantTable } from '../read/projection.ts';
import { newId } from '../sql/id.ts';
import { idArray, ownedBy, type Tenant } from '../sql/parameter.ts';
import { isListColumn, writtenColumns } from '../sql/table-columns.ts';
import { lockedRows, type StoredRow } from './stored-rows.ts';
import { type StampedTable, touch } from './touch.ts';
import { isUnchanged } from './unchanged.ts';
import { type InsertedRow, upsert } from './write.ts';

/** Reads a record and locks it until the end of the transaction. */
export async function lockRecord<Table extends RecordTable>(
  ctx: Context,
  table: Table,
  type: string,
  id: string,
): Promise<StoredRow<Table>> {
  const [row] = await pipeline(ctx, [lockedRows(ctx, table, { member: 'id' as never, ids: [id] })]);
  if (!row) throw notFound(type, [id], ['input', 'id']);
  return row;
}

/** The step that locks records until the end of the transaction, without reading them. */
export function lockRecords(ctx: Tenant, table: RecordTable, ids: readonly string[]): PipelineStep<void> {
  return pipelineStep(sql`
    select from ${table} where ${ownedBy(ctx, table)} and ${table.id} = any(${idArray(ids)})
    order by ${table.id} for update`);
}

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

/** A member of an input that is no column is a type error, because it would not be stored. */
export type OnlyColumns<Input, Row> = Input & Record<Exclude<keyof Input, keyof Row>, never>;

/**
 * `stored` is the locked row, null for a new record. `arePartsChanged`: rows of other tables that belong to the record,
 * such as its page metadata, are changed in the same transaction.
 */
type FormerState = { stored: object | null; arePartsChanged?: boolean };

/**
 * The step that writes a record, or none if nothing has changed, so that `updatedAt` moves exactly when something that
 * the record's type shows has changed.
 */
export function recordWrite<Table extends StampedTable, Row extends InsertedRow<Table> & { id: string }>(
  ctx: MerchantContext,
  table: Table,
  row: OnlyColumns<Row, InferInsertModel<Table>>,
  { stored, arePartsChanged = false }: FormerState,
): PipelineStep<void>[] {
  if (!stored || !isUnchanged(row, stored)) return upsert(ctx, table, ['id' as never], [row]);
  return arePartsChanged ? touch(ctx, table, [row.id]) : [];
}

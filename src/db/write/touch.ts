import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { type PipelineStep, pipelineStep } from '../connection/pipeline.ts';
import type { RecordTable } from '../read/projection.ts';
import { idArray, ownedBy, type Tenant } from '../sql/parameter.ts';
import { columnsOf } from '../sql/table-columns.ts';

export type StampedTable = RecordTable & { updatedAt: AnyPgColumn };

/**
 * The new `updatedAt` of a stored row: the start of the transaction, but always later than before. Two changes may fall
 * into one millisecond, and a transaction that waited for the row's lock may have started before the one it waited for.
 * The conversion to UTC makes the addition immutable, as a cluster demands of expressions over columns in SET.
 */
export function laterThanStored(updatedAt: AnyPgColumn, now: SQL = sql`now()`): SQL {
  return sql`greatest(${now}, (${updatedAt} at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC')`;
}

/**
 * The assignments, for `update … set`, that tell clients of a change: they filter by `updatedAt` and lock by `version`.
 */
export function changeMarks(table: StampedTable): SQL {
  const { version } = columnsOf(table);
  const stamp = sql`updated_at = ${laterThanStored(table.updatedAt)}`;
  return version ? sql`${stamp}, version = ${version} + 1` : stamp;
}

/** The step for records of which only parts in other tables have changed. The caller holds their locks. */
export function touch(ctx: Tenant, table: StampedTable, ids: readonly string[]): PipelineStep<void>[] {
  if (ids.length === 0) return [];
  return [
    pipelineStep(sql`
    update ${table} set ${changeMarks(table)}
    where ${ownedBy(ctx, table)} and ${table.id} = any(${idArray([...new Set(ids)])})`),
  ];
}

import { sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Context } from '../../context.ts';
import { refuseUnknown } from '../../errors.ts';
import { type PipelineStep, pipelineStep, pipeline } from '../connection/pipeline.ts';
import { readIds } from '../connection/read-rows.ts';
import { inTransaction } from '../connection/transaction.ts';
import { idArray, ownedBy, type Tenant } from '../sql/parameter.ts';
import { changeMarks, type StampedTable } from './touch.ts';

type DeletableTable = StampedTable & { deleted: AnyPgColumn };

/** The operation that soft-deletes records, all or none. Deleting a deleted record changes nothing. */
export function deleteOperation(
  table: DeletableTable,
  type: string,
): (ctx: Context, args: { idList: readonly string[] }) => Promise<boolean> {
  return async (ctx, { idList }) => await deleteRecords(ctx, table, type, idList);
}

async function deleteRecords(
  ctx: Context,
  table: DeletableTable,
  type: string,
  ids: readonly string[],
): Promise<boolean> {
  const wanted = [...new Set(ids)];
  return await inTransaction(ctx, async (ctx) => {
    // Locks in the order of the ids, so that overlapping deletes cannot deadlock.
    const found = await readIds(
      ctx,
      sql`
      select ${table.id} as "id" from ${table}
      where ${ownedBy(ctx, table)} and ${table.id} = any(${idArray(wanted)}) order by ${table.id} for update`,
    );
    refuseUnknown(type, wanted, found, ['idList']);
    await pipeline(ctx, markDeleted(ctx, table, wanted));
    return true;
  });
}

/** The step that soft-deletes rows which the transaction has locked, directly or by their record. */
export function markDeleted(ctx: Tenant, table: DeletableTable, ids: readonly string[]): PipelineStep<void>[] {
  if (ids.length === 0) return [];
  return [
    pipelineStep(sql`
    update ${table} set deleted = true, ${changeMarks(table)}
    where ${ownedBy(ctx, table)} and ${table.id} = any(${idArray(ids)}) and not ${table.deleted}`),
  ];
}

import { sql } from 'drizzle-orm';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { pipeline, type PipelineStep, pipelineStep } from '../connection/pipeline.ts';
import type { RecordTable } from '../read/projection.ts';
import { idArray } from '../sql/parameter.ts';
import { ownedBy, type Tenant } from '../sql/tenant.ts';
import { lockedRows, type StoredRow } from './stored-rows.ts';

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

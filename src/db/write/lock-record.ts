import { sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { pipeline, type PipelineStep, pipelineStep } from '../connection/pipeline.ts';
import type { TenantTable } from '../read/projection.ts';
import { idArray } from '../sql/parameter.ts';
import { ownedBy, type Tenant } from '../sql/tenant.ts';
import { lockedRows, type StoredRow } from './stored-rows.ts';

type LockableTable = TenantTable & { id: AnyPgColumn };

/** Reads a record and locks it until the end of the transaction. */
export async function lockRecord<Table extends LockableTable>(
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
export function lockRecords(ctx: Tenant, table: LockableTable, ids: readonly string[]): PipelineStep<void> {
  return pipelineStep(sql`
    select from ${table} where ${ownedBy(ctx, table)} and ${table.id} = any(${idArray(ids)})
    order by ${table.id} for update`);
}

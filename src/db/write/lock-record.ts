import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { pipeline } from '../connection/pipeline.ts';
import type { TenantTable } from '../read/projection.ts';
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

import { eq, type InferSelectModel, and } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { isId } from '../sql/id.ts';
import type { TenantTable } from '../read/projection.ts';
import { ownedBy } from '../sql/tenant.ts';

type LockableTable = TenantTable & { id: AnyPgColumn };

/** Reads a record and locks it until the end of the transaction. */
export async function lockRecord<Table extends LockableTable>(
  ctx: Context,
  table: Table,
  type: string,
  id: string,
): Promise<InferSelectModel<Table>> {
  if (!isId(id)) throw notFound(type, [id], ['input', 'id']);
  const [row] = await ctx.db
    .select()
    .from(table as PgTable)
    .where(and(ownedBy(ctx, table), eq(table.id, id)))
    .for('update');
  if (!row) throw notFound(type, [id], ['input', 'id']);
  return row as InferSelectModel<Table>;
}

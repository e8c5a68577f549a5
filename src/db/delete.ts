import { sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { idList } from './parameter.ts';
import type { TenantTable } from './shape.ts';
import { of } from './tenant.ts';
import { inTransaction } from './transaction.ts';

type DeletableTable = TenantTable & { id: AnyPgColumn; deleted: AnyPgColumn; updatedAt: AnyPgColumn };

/** Marks records as deleted, all or none. Deleting what is deleted already is fine and changes nothing. */
export async function deleteRecords(ctx: Context, table: DeletableTable, type: string, ids: readonly string[]): Promise<boolean> {
  const wanted = [...new Set(ids)];
  return await inTransaction(ctx, async (ctx) => {
    // In the order of the ids, so that two deletes that overlap wait for each other instead of locking up.
    const found = await ctx.db.execute<{ id: string }>(sql`
      select ${table.id} as "id" from ${table}
      where ${of(ctx, table)} and ${table.id} = any(${idList(wanted)}) order by ${table.id} for update`);
    const known = new Set(found.map(({ id }) => id));
    const missing = wanted.filter((id) => !known.has(id));
    if (missing.length > 0) throw notFound(type, missing, ['idList']);
    await markDeleted(ctx, table, wanted);
    return true;
  });
}

/** Without asking whether they are there: for rows that a record of the transaction's own has. */
export async function markDeleted(ctx: Context, table: DeletableTable, ids: readonly string[]): Promise<void> {
  await ctx.db.execute(sql`
    update ${table} set deleted = true, updated_at = now()
    where ${of(ctx, table)} and ${table.id} = any(${idList(ids)}) and not ${table.deleted}`);
}

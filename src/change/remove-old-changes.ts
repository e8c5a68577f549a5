import { sql } from 'drizzle-orm';
import { change, changePart, changeSet } from '../../drizzle/change.ts';
import { merchant } from '../../drizzle/merchant.ts';
import { stockMovement } from '../../drizzle/stock-movement.ts';
import type { MerchantContext } from '../context.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { textArray } from '../db/sql/parameter.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { BATCH_SIZE, processDueRows } from '../db/write/process-due-rows.ts';

/**
 * Removes the changes of all merchants that are older than the given time, the oldest first, and returns their number.
 * The numbers of records stay, so that later changes continue them.
 */
export async function removeOldChanges(ctx: AcrossContext, keepDays: number): Promise<number> {
  const isDue = sql`${change.createdAt} < now() - make_interval(days => ${keepDays}::integer)`;
  return await processDueRows(ctx, { table: change, isDue }, async (ctx) => await removeOldest(ctx, keepDays));
}

/** Removes one batch of a merchant. */
async function removeOldest(merchantCtx: MerchantContext, keepDays: number): Promise<number> {
  return await inTransaction(merchantCtx, async (ctx) => {
    const old = await readRows(
      ctx,
      { id: column.text, changeTransactionId: column.text, recordId: column.text, changeSetId: column.text },
      sql`
      select ${change.id} as "id", ${change.changeTransactionId} as "changeTransactionId",
        ${change.recordId} as "recordId", ${change.changeSetId} as "changeSetId"
      from ${change}
      where ${ownedBy(ctx, change)} and ${change.createdAt} < now() - make_interval(days => ${keepDays}::integer)
      order by ${change.id} limit ${sql.raw(String(BATCH_SIZE))} for update skip locked`,
    );
    const transactions = textArray(old.map(({ changeTransactionId }) => changeTransactionId));
    const records = textArray(old.map(({ recordId }) => recordId));
    await ctx.db.execute(sql`
      delete from ${changePart} where ${ownedBy(ctx, changePart)}
        and (${changePart.changeTransactionId}, ${changePart.recordId}) in (
          select * from unnest(${transactions}::uuid[], ${records}::uuid[]))`);
    await ctx.db.execute(sql`
      delete from ${change} where ${ownedBy(ctx, change)}
        and ${change.id} = any(${textArray(old.map(({ id }) => id))}::uuid[])`);
    const sets = textArray([...new Set(old.map(({ changeSetId }) => changeSetId))]);
    await ctx.db.execute(sql`
      delete from ${changeSet} where ${ownedBy(ctx, changeSet)} and ${changeSet.id} = any(${sets}::uuid[])
        and not exists (
          select from ${change} where ${ownedBy(ctx, change)} and ${change.changeSetId} = ${changeSet.id})
        and not exists (
          select from ${stockMovement}
          where ${ownedBy(ctx, stockMovement)} and ${stockMovement.changeSetId} = ${changeSet.id})`);
    await ctx.db.execute(sql`
      update ${merchant} set history_since = now() - make_interval(days => ${keepDays}::integer)
      where ${ownedBy(ctx, merchant)} and ${merchant.historySince} < now() - make_interval(days => ${keepDays}::integer)`);
    return old.length;
  });
}

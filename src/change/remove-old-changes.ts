import { sql } from 'drizzle-orm';
import { change, changePart, changeSet } from '../../drizzle/change.ts';
import { merchant } from '../../drizzle/merchant.ts';
import { stockMovement } from '../../drizzle/stock-movement.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import type { DatabaseContext } from '../db/connection/database.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { textArray } from '../db/sql/parameter.ts';
import { ownedBy } from '../db/sql/tenant.ts';

/** Changes that one transaction removes at the most. Small, so that it holds its locks for a short time only. */
const BATCH_SIZE = 1_000;

/**
 * Removes the changes of all merchants that are older than the given time, the oldest first, and returns their number.
 * The numbers of records stay, so that later changes continue them.
 */
export async function removeOldChanges({ db, across }: AcrossContext, keepDays: number): Promise<number> {
  let removed = 0;
  for (;;) {
    const merchants = await across.rows(
      'merchantsWithOldChanges',
      { id: column.text },
      sql`
      select distinct oldest.merchant_id as "id" from (
        select ${change.merchantId} as merchant_id from ${change}
        where ${change.createdAt} < now() - make_interval(days => ${keepDays}::integer) limit ${sql.raw(String(BATCH_SIZE))}
      ) as oldest`,
    );
    if (merchants.length === 0) return removed;
    for (const { id } of merchants) removed += await removeOldest({ db }, id, keepDays);
  }
}

/** Removes one batch of a merchant. */
async function removeOldest(database: DatabaseContext, merchantId: string, keepDays: number): Promise<number> {
  const own = { merchantId };
  return await inTransaction(database, async (ctx) => {
    const old = await readRows(
      ctx,
      { id: column.text, changeTransactionId: column.text, recordId: column.text, changeSetId: column.text },
      sql`
      select ${change.id} as "id", ${change.changeTransactionId} as "changeTransactionId",
        ${change.recordId} as "recordId", ${change.changeSetId} as "changeSetId"
      from ${change}
      where ${ownedBy(own, change)} and ${change.createdAt} < now() - make_interval(days => ${keepDays}::integer)
      order by ${change.id} limit ${sql.raw(String(BATCH_SIZE))} for update skip locked`,
    );
    const transactions = textArray(old.map(({ changeTransactionId }) => changeTransactionId));
    const records = textArray(old.map(({ recordId }) => recordId));
    await ctx.db.execute(sql`
      delete from ${changePart} where ${ownedBy(own, changePart)}
        and (${changePart.changeTransactionId}, ${changePart.recordId}) in (
          select * from unnest(${transactions}::uuid[], ${records}::uuid[]))`);
    await ctx.db.execute(sql`
      delete from ${change} where ${ownedBy(own, change)}
        and ${change.id} = any(${textArray(old.map(({ id }) => id))}::uuid[])`);
    const sets = textArray([...new Set(old.map(({ changeSetId }) => changeSetId))]);
    await ctx.db.execute(sql`
      delete from ${changeSet} where ${ownedBy(own, changeSet)} and ${changeSet.id} = any(${sets}::uuid[])
        and not exists (
          select from ${change} where ${ownedBy(own, change)} and ${change.changeSetId} = ${changeSet.id})
        and not exists (
          select from ${stockMovement}
          where ${ownedBy(own, stockMovement)} and ${stockMovement.changeSetId} = ${changeSet.id})`);
    await ctx.db.execute(sql`
      update ${merchant} set history_since = now() - make_interval(days => ${keepDays}::integer)
      where ${ownedBy(own, merchant)} and ${merchant.historySince} < now() - make_interval(days => ${keepDays}::integer)`);
    return old.length;
  });
}

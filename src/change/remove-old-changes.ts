import { type SQL, sql } from 'drizzle-orm';
import { change, changePart } from '../../drizzle/change.ts';
import { merchant } from '../../drizzle/merchant.ts';
import type { MerchantContext } from '../context.ts';
import { forEachMerchant } from '../db/across/for-each-merchant.ts';
import { type KeptSince, keptSince } from '../db/across/kept-since.ts';
import { allMerchants } from '../db/across/merchants-with-rows.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { column, readIds, readRows } from '../db/connection/read-rows.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { NO_ID } from '../db/sql/id.ts';
import { ownedBy, textArray } from '../db/sql/parameter.ts';

/** Deleted in one transaction. Few, so that an erasure, which needs the same rows, waits only for a short time. */
const BATCH_SIZE = 2_000;

/**
 * Removes the changes of all merchants that are older than the given time, the oldest first, and returns their number.
 * The numbers of records stay, so that later changes continue them. Each merchant is looked up by the primary key, since
 * ids have the order of the times: no index of all merchants is as cheap to write.
 */
export async function removeOldChanges(ctx: AcrossContext, keepDays: number, signal?: AbortSignal): Promise<number> {
  const kept = await keptSince(ctx, keepDays);
  const merchants = await allMerchants(ctx.across);
  return await forEachMerchant(ctx.db, merchants, async (ctx) => await removeOf(ctx, kept, signal), signal);
}

/**
 * Removes the old changes of one merchant. The time since when its changes are kept is stored before the first one is
 * removed: the batches are transactions of their own, and a process can be killed between them. Each batch begins behind
 * the one before, whose rows a scan would pass again.
 */
async function removeOf(ctx: MerchantContext, { since, firstId }: KeptSince, signal?: AbortSignal): Promise<number> {
  const isOld = sql`${ownedBy(ctx, change)} and ${change.id} < ${firstId}::uuid`;
  const oldest = sql`select ${change.id} as "id" from ${change} where ${isOld} order by ${change.id} limit 1`;
  if ((await readIds(ctx, oldest)).length === 0) return 0;
  await ctx.db.execute(sql`
    update ${merchant} set history_since = ${since}::timestamptz
    where ${ownedBy(ctx, merchant)} and ${merchant.historySince} < ${since}::timestamptz`);
  let removed = 0;
  let afterId = NO_ID;
  for (;;) {
    const batch = await inTransaction(ctx, async (ctx) => await removeBatch(ctx, isOld, afterId));
    removed += batch.length;
    if (batch.length < BATCH_SIZE || signal?.aborted) return removed;
    afterId = batch.at(-1)!;
  }
}

/** Removes the next changes, and returns their ids. */
async function removeBatch(ctx: MerchantContext, isOld: SQL, afterId: string): Promise<string[]> {
  const old = await readRows(
    ctx,
    { id: column.text, changeTransactionId: column.text, recordId: column.text, changeSetId: column.text },
    sql`
    delete from ${change} where ${ownedBy(ctx, change)} and ${change.id} = any(array(
      select ${change.id} from ${change} where ${isOld} and ${change.id} > ${afterId}::uuid
      order by ${change.id} limit ${sql.raw(String(BATCH_SIZE))}))
    returning ${change.id} as "id", ${change.changeTransactionId} as "changeTransactionId",
      ${change.recordId} as "recordId", ${change.changeSetId} as "changeSetId"`,
  );
  if (old.length === 0) return [];
  const transactions = textArray(old.map(({ changeTransactionId }) => changeTransactionId));
  const records = textArray(old.map(({ recordId }) => recordId));
  await ctx.db.execute(sql`
    delete from ${changePart} where ${ownedBy(ctx, changePart)}
      and (${changePart.changeTransactionId}, ${changePart.recordId}) in (
        select * from unnest(${transactions}::uuid[], ${records}::uuid[]))`);
  const changeSets = textArray([...new Set(old.map(({ changeSetId }) => changeSetId))]);
  await ctx.db.execute(sql`select remove_unused_change_sets(${ctx.merchantId}::uuid, ${changeSets}::uuid[])`);
  return old.map(({ id }) => id).toSorted();
}

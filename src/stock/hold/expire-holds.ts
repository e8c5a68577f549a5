import { sql } from 'drizzle-orm';
import { merchant } from '../../../drizzle/merchant.ts';
import { stockHold } from '../../../drizzle/stock-hold.ts';
import type { MerchantContext } from '../../context.ts';
import { forEachMerchant } from '../../db/across/for-each-merchant.ts';
import { taskContext } from '../../db/across/merchant-context.ts';
import { MerchantFailures } from '../../db/across/merchant-failures.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { column, readIds, readRows } from '../../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';

const MAX_ACTIVE_HOLDS = 1_000_000;

/** Holds of a merchant that one statement changes. Few, so that it holds its locks for a short time only. */
const BATCH_SIZE = 1_000;

const batchSize = sql.raw(String(BATCH_SIZE));
const isActive = sql`${stockHold.status} = 'ACTIVE'`;
const isDue = sql`${isActive} and ${stockHold.expiresAt} <= now()`;

/**
 * Gives the holds of all merchants that have ended by themselves the status EXPIRED, and returns their number. They have
 * counted no longer since then; the change of the status is their only trace. A merchant whose batch fails is left out from
 * then on. It ends after a round over the merchants in which nothing ended and nothing failed: no due hold is left then,
 * except those of merchants that were left out and those that others have locked. It returns before its next batch if
 * `signal` is aborted.
 */
export async function expireHolds({ db, across }: AcrossContext, signal?: AbortSignal): Promise<number> {
  const failures = new MerchantFailures();
  let expired = 0;
  for (let isDone = false; !isDone;) {
    const failed = failures.merchantIds;
    const merchants = await across.rows(
      'merchantsWithDueHolds',
      { merchantId: column.text },
      sql`
      select distinct due.merchant_id as "merchantId" from (
        select ${stockHold.merchantId} as merchant_id from ${stockHold}
        where ${isDue} and ${stockHold.merchantId} <> all(${idArray(failed)}) limit ${batchSize}
      ) as due`,
    );
    const before = expired;
    for (const { merchantId } of merchants) {
      if (signal?.aborted) return expired;
      expired += (await failures.attempt(merchantId, () => expireBatch(taskContext(db, merchantId)))) ?? 0;
    }
    isDone = expired === before && failures.merchantIds.length === failed.length;
  }
  failures.throwAny();
  return expired;
}

async function expireBatch(ctx: MerchantContext): Promise<number> {
  const own = ownedBy(ctx, stockHold);
  // Holds that a request has locked are left to the next run.
  const ended = await readIds(
    ctx,
    sql`
    update ${stockHold} set status = 'EXPIRED' where ${own} and ${stockHold.id} = any(array(
      select ${stockHold.id} from ${stockHold} where ${own} and ${isDue}
      order by ${stockHold.expiresAt} limit ${batchSize} for update skip locked))
    returning ${stockHold.id} as "id"`,
  );
  return ended.length;
}

/**
 * Counts the active holds of the merchants that have some. A merchant with too many gets no further ones until there are
 * fewer. Each is counted by itself, and not beyond the limit, so that the many holds of
 * one merchant cannot time out the count of the others.
 */
export async function limitHolds(
  { db, across }: AcrossContext,
  maxHolds = MAX_ACTIVE_HOLDS,
  signal?: AbortSignal,
): Promise<void> {
  const merchants = await across.rows(
    'heldMerchants',
    { merchantId: column.text, wasFull: column.boolean },
    sql`
    select ${merchant.merchantId} as "merchantId", ${merchant.isStockHeldFull} as "wasFull" from ${merchant}
    where ${merchant.isStockHeldFull} or exists (
      select from ${stockHold} where ${stockHold.merchantId} = ${merchant.merchantId} and ${isActive})`,
  );
  const limit = async (ctx: MerchantContext, { wasFull }: { wasFull: boolean }): Promise<void> => {
    const isFull = (await countHolds(ctx, maxHolds)) >= maxHolds;
    if (isFull !== wasFull)
      await ctx.db.execute(sql`update ${merchant} set is_stock_held_full = ${isFull} where ${ownedBy(ctx, merchant)}`);
  };
  await forEachMerchant(db, merchants, limit, signal);
}

/** At most `max`. Selects no column, so that the index of active holds is enough. */
async function countHolds(ctx: MerchantContext, max: number): Promise<number> {
  const [holds] = await readRows(
    ctx,
    { count: column.number },
    sql`
    select count(*)::integer as "count" from (
      select from ${stockHold}
      where ${ownedBy(ctx, stockHold)} and ${isActive} and ${stockHold.expiresAt} > now() limit ${sql.raw(String(max))}
    ) as held`,
  );
  return holds!.count;
}

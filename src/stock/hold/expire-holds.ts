import { sql } from 'drizzle-orm';
import { merchant } from '../../../drizzle/merchant.ts';
import { stockHold } from '../../../drizzle/stock-hold.ts';
import type { MerchantContext } from '../../context.ts';
import { forEachMerchant } from '../../db/across/for-each-merchant.ts';
import { taskContext } from '../../db/across/merchant-context.ts';
import { MerchantFailures } from '../../db/across/merchant-failures.ts';
import type { AcrossContext, AcrossMerchants } from '../../db/connection/across-merchants.ts';
import { column, readIds, readRows } from '../../db/connection/read-rows.ts';
import { NO_ID } from '../../db/sql/id.ts';
import { ownedBy } from '../../db/sql/parameter.ts';

const MAX_ACTIVE_HOLDS = 1_000_000;

/** Holds of a merchant that one statement changes. Few, so that it holds its locks for a short time only. */
const BATCH_SIZE = 1_000;
/** How often merchants are read while some have due holds: those of one may take minutes. */
const READ_AGAIN_MS = 1_000;

const batchSize = sql.raw(String(BATCH_SIZE));
const isActive = sql`${stockHold.status} = 'ACTIVE'`;
const isDue = sql`${isActive} and ${stockHold.expiresAt} <= now()`;

/**
 * Gives the holds of all merchants that have ended by themselves the status EXPIRED, and returns their number. They have
 * counted no longer since then; the change of the status is their only trace. Merchants are served in turn, one batch at a
 * time, so that a merchant with many due holds delays no other. A merchant whose batch fails is left out from then on.
 * Holds that others have locked are left to the next run. It returns before its next batch if `signal` is aborted.
 */
export async function expireHolds({ db, across }: AcrossContext, signal?: AbortSignal): Promise<number> {
  const failures = new MerchantFailures();
  const due = new Set<string>();
  let [expired, readAtMs] = [0, -Infinity];
  do {
    if (performance.now() - readAtMs >= READ_AGAIN_MS) {
      readAtMs = performance.now();
      for await (const merchantId of merchantsWithDueHolds(across)) if (!failures.has(merchantId)) due.add(merchantId);
    }
    for (const merchantId of due) {
      if (signal?.aborted) return expired;
      const ended = (await failures.attempt(merchantId, () => expireBatch(taskContext(db, merchantId)))) ?? 0;
      if (ended < BATCH_SIZE) due.delete(merchantId);
      expired += ended;
    }
  } while (due.size > 0);
  failures.throwAny();
  return expired;
}

/** Each statement looks up the first active hold of the next merchant, so that the cost does not depend on their number. */
async function* merchantsWithDueHolds(across: AcrossMerchants): AsyncGenerator<string> {
  for (let after = NO_ID; ;) {
    const [next] = await across.rows(
      'merchantsWithDueHolds',
      { merchantId: column.text, isDue: column.boolean },
      sql`
      select ${stockHold.merchantId} as "merchantId", ${stockHold.expiresAt} <= now() as "isDue" from ${stockHold}
      where ${isActive} and ${stockHold.merchantId} > ${after}::uuid
      order by ${stockHold.merchantId}, ${stockHold.expiresAt} limit 1`,
    );
    if (!next) return;
    if (next.isDue) yield next.merchantId;
    after = next.merchantId;
  }
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

import { type SQL, sql } from 'drizzle-orm';
import { webhook, webhookDelivery } from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { deleteOldest } from '../../db/across/delete-oldest.ts';
import { keptSince } from '../../db/across/kept-since.ts';
import { taskContext } from '../../db/across/merchant-context.ts';
import { sumOfParts } from '../../db/across/sum-of-parts.ts';
import { MerchantFailures } from '../../db/across/merchant-failures.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { dueAt } from './overdue-deliveries.ts';
import { merchantsWithPendingDeliveries } from './pending-merchants.ts';

export type Retention = { readonly keepDeliveredDays: number; readonly keepFailedDays: number };

const BATCH_SIZE = 1_000;

/**
 * Removes old deliveries of all merchants, and returns their number. Deliveries of paused webhooks are kept as long as
 * failed ones.
 */
export async function removeOldDeliveries(
  ctx: AcrossContext,
  { keepDeliveredDays, keepFailedDays }: Retention,
  signal?: AbortSignal,
): Promise<number> {
  const { state, createdAt } = webhookDelivery;
  // The first condition is the index. A delivery that ended lately stays, although its event is old.
  const removeOlder = async (where: SQL, days: number): Promise<number> => {
    const isDue = sql`${createdAt} < ${daysAgo(days)}`;
    const whereEnded = sql`${where} and ${lastDueBefore(days)}`;
    return await deleteOldest(ctx, { table: webhookDelivery, time: createdAt, isDue, where: whereEnded }, signal);
  };
  return await sumOfParts([
    () => removeOlder(sql`${state} = 'DELIVERED'`, keepDeliveredDays),
    () => removeOlder(sql`${state} = 'FAILED'`, keepFailedDays),
    () => removePending(ctx, keepFailedDays, signal),
  ]);
}

/** Merchant by merchant: the pending deliveries of all merchants, which may be millions, have no index in order of time. */
async function removePending({ db, across }: AcrossContext, days: number, signal?: AbortSignal): Promise<number> {
  const failures = new MerchantFailures();
  const { firstId } = await keptSince({ db }, days);
  let removed = 0;
  for await (const merchantId of merchantsWithPendingDeliveries(across)) {
    for (let count = BATCH_SIZE; count === BATCH_SIZE; removed += count) {
      if (signal?.aborted) return removed;
      count =
        (await failures.attempt(merchantId, () => removePendingOf(taskContext(db, merchantId), days, firstId))) ?? 0;
    }
  }
  failures.throwAny();
  return removed;
}

/** `firstId`: the lowest id of a delivery that is too new. An index of the pending ones shows the id without their rows. */
async function removePendingOf(ctx: MerchantContext, days: number, firstId: string): Promise<number> {
  const { id, webhookId, state, createdAt } = webhookDelivery;
  // What an active webhook has not sent yet stays, for example after the worker was away for long. So does an old delivery
  // that was queued again lately.
  const isActive = sql`exists (
    select from ${webhook} where ${ownedBy(ctx, webhook)} and ${webhook.id} = ${webhookId} and ${webhook.status} = 'ACTIVE')`;
  const isOld = sql`${ownedBy(ctx, webhookDelivery)} and ${state} = 'PENDING' and ${createdAt} < ${daysAgo(days)}
    and ${id} < ${firstId}::uuid and ${lastDueBefore(days)}
    and not ${isActive}`;
  const rows = await ctx.db.execute(sql`
    delete from ${webhookDelivery} where ${isOld} and ${id} = any(array(
      select ${id} from ${webhookDelivery} where ${isOld} limit ${sql.raw(String(BATCH_SIZE))}))
    returning ${id}`);
  return rows.length;
}

/** A settlement sets the time of the next attempt too: when the delivery ended, it is at most some seconds later. */
function lastDueBefore(days: number): SQL {
  return sql`${dueAt} < ${daysAgo(days)}`;
}

function daysAgo(days: number): SQL {
  return sql`now() - make_interval(days => ${days}::integer)`;
}

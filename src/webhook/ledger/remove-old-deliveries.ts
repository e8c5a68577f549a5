import { type SQL, sql } from 'drizzle-orm';
import { webhookDelivery } from '../../../drizzle/webhook.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { deleteOldest } from '../../db/write/delete-oldest.ts';

export type Retention = { readonly keepDeliveredDays: number; readonly keepFailedDays: number };

/**
 * Removes old deliveries of all merchants, and returns their number. Deliveries of paused webhooks are kept as long as
 * failed ones.
 */
export async function removeOldDeliveries(
  ctx: AcrossContext,
  { keepDeliveredDays, keepFailedDays }: Retention,
  signal?: AbortSignal,
): Promise<number> {
  const { state, createdAt, nextAttemptAt } = webhookDelivery;
  const removeOlder = async (where: SQL, days: number): Promise<number> => {
    const isDue = sql`${createdAt} < ${daysAgo(days)}`;
    return await deleteOldest(ctx, { table: webhookDelivery, time: createdAt, isDue, where }, signal);
  };
  const delivered = await removeOlder(sql`${state} = 'DELIVERED'`, keepDeliveredDays);
  const failed = await removeOlder(sql`${state} = 'FAILED'`, keepFailedDays);
  // A delivery that was queued again lately stays, although it is old: it is still to be sent.
  const isOverdue = sql`coalesce(${nextAttemptAt}, ${createdAt}) < ${daysAgo(keepFailedDays)}`;
  const waiting = await removeOlder(sql`${state} = 'PENDING' and ${isOverdue}`, keepFailedDays);
  return delivered + failed + waiting;
}

function daysAgo(days: number): SQL {
  return sql`now() - make_interval(days => ${days}::integer)`;
}

import { sql } from 'drizzle-orm';
import { ALL_TRUNCATED, webhookDelivery } from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';

/**
 * Reduces the deliveries of customers to the customer's id, waiting ones too, and returns their number. State, attempts
 * and claims stay: a push that is under way is settled as usual, without the receiver's answer.
 */
export async function eraseDeliveries(ctx: MerchantContext, customerIds: readonly string[]): Promise<number> {
  const { id, recordId, isErased, attemptLog } = webhookDelivery;
  const isOfCustomers = sql`${ownedBy(ctx, webhookDelivery)} and ${recordId} = any(${idArray(customerIds)})`;
  // In the order in which a redelivery locks them.
  await ctx.db.execute(sql`select from ${webhookDelivery} where ${isOfCustomers} order by ${id} for update`);
  const erased = await ctx.db.execute(sql`
    update ${webhookDelivery}
    set data = '{"id":"' || ${recordId}::text || '"}', changes = null, truncated = ${ALL_TRUNCATED}::json,
      attempt_log = attempts_without_responses(${attemptLog}), is_erased = true
    where ${isOfCustomers} and not ${isErased} returning ${id}`);
  return erased.length;
}

/** Marks the deliveries of the erasure itself, so that no answer of a receiver is stored that could name the person. */
export async function markDeliveries(ctx: MerchantContext, customerIds: readonly string[]): Promise<void> {
  await ctx.db.execute(sql`
    update ${webhookDelivery} set is_erased = true
    where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.recordId} = any(${idArray(customerIds)})
      and not ${webhookDelivery.isErased}`);
}

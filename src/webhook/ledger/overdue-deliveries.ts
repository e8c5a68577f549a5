import { sql } from 'drizzle-orm';
import { webhook, webhookDelivery } from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { isNotClaimed } from './claim-lapse.ts';
import { queueDeliveries, type QueuedDelivery } from './queue-deliveries.ts';

const OVERDUE_AFTER_S = 20;
/** Deliveries of one call. The webhooks of the merchant have equal shares of them, so that no backlog delays others. */
const MAX_DELIVERIES = 5_000;
const BATCH_SIZE = 1_000;

/**
 * Queues the oldest deliveries of a merchant that are long overdue: their webhook was resumed or deleted, or their job
 * was lost. Returns the number of jobs created: most of these deliveries may have one.
 */
export async function queueOverdueDeliveries(ctx: MerchantContext): Promise<number> {
  const overdue = await overdueDeliveries(ctx);
  let queued = 0;
  for (let from = 0; from < overdue.length; from += BATCH_SIZE)
    queued += await queueDeliveries(ctx, overdue.slice(from, from + BATCH_SIZE));
  return queued;
}

/**
 * Looks up each webhook with pending deliveries in their index, so that the deliveries of paused webhooks, which may be
 * millions, are not read.
 */
async function overdueDeliveries(ctx: MerchantContext): Promise<QueuedDelivery[]> {
  const { id, webhookId, state, endpoint, nextAttemptAt, createdAt } = webhookDelivery;
  const isPending = sql`${ownedBy(ctx, webhookDelivery)} and ${state} = 'PENDING'`;
  return await readRows(
    ctx,
    { id: column.text, endpoint: column.text },
    sql`
    with recursive pending as (
      (select ${webhookId} from ${webhookDelivery} where ${isPending} order by ${webhookId} limit 1)
      union all
      select next.webhook_id from pending cross join lateral (
        select ${webhookId} from ${webhookDelivery} where ${isPending} and ${webhookId} > pending.webhook_id
        order by ${webhookId} limit 1) as next
    ), sendable as (
      select pending.webhook_id from pending
      left join ${webhook} on ${ownedBy(ctx, webhook)} and ${webhook.id} = pending.webhook_id
      where ${webhook.id} is null or ${webhook.status} = 'ACTIVE'
    )
    select overdue.id as "id", overdue.endpoint as "endpoint" from sendable cross join lateral (
      select ${id}, ${endpoint} from ${webhookDelivery}
      where ${isPending} and ${webhookId} = sendable.webhook_id and ${isNotClaimed}
        and coalesce(${nextAttemptAt}, ${createdAt}) < now() - make_interval(secs => ${sql.raw(String(OVERDUE_AFTER_S))})
      order by ${id} limit (select ${sql.raw(String(MAX_DELIVERIES))} / count(*) from sendable)) as overdue`,
  );
}

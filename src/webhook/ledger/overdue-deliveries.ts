import { sql } from 'drizzle-orm';
import { webhook, webhookDelivery } from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows, type Row } from '../../db/connection/read-rows.ts';
import { NO_ID } from '../../db/sql/id.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { isNotClaimed } from './claim-lapse.ts';
import { queueDeliveries } from './queue-deliveries.ts';

const OVERDUE_AFTER_S = 20;
/**
 * Deliveries of one call. The webhooks of the merchant that have overdue deliveries get equal shares of them, so that no
 * backlog delays others.
 */
const MAX_DELIVERIES = 5_000;
const BATCH_SIZE = 1_000;

const OVERDUE = { webhookId: column.text, id: column.text, endpoint: column.text, share: column.number };

/** Where the next call continues with the overdue deliveries of a webhook: behind the delivery `lastId`. */
export type OverduePosition = { webhookId: string; lastId: string };

/**
 * Queues deliveries of a merchant that are long overdue, oldest first: their webhook was resumed or deleted, or their job
 * was lost. Most of these deliveries may have a job. Returns the positions of the webhooks that may have more: without
 * them the next call would read the same deliveries, and never those behind a backlog that is sent slowly.
 */
export async function queueOverdueDeliveries(
  ctx: MerchantContext,
  positions: readonly OverduePosition[],
): Promise<OverduePosition[]> {
  const overdue = await overdueDeliveries(ctx, positions);
  for (let from = 0; from < overdue.length; from += BATCH_SIZE)
    await queueDeliveries(ctx, overdue.slice(from, from + BATCH_SIZE));
  return [...Map.groupBy(overdue, ({ webhookId }) => webhookId)]
    .map(([webhookId, own]) => ({ webhookId, count: own.length, last: own.at(-1)! }))
    .filter(({ count, last }) => count === last.share)
    .map(({ webhookId, last }) => ({ webhookId, lastId: last.id }));
}

/** When a delivery was last due: at its event, if its webhook was paused then. */
export const dueAt = sql`coalesce(${webhookDelivery.nextAttemptAt}, ${webhookDelivery.createdAt})`;

/** So long after a delivery was due, its job may be lost. */
export const isOverdue = sql`${dueAt} < now() - make_interval(secs => ${sql.raw(String(OVERDUE_AFTER_S))})`;

/**
 * Looks up each webhook with pending deliveries in their index, so that the deliveries of paused webhooks, which may be
 * millions, are not read.
 */
async function overdueDeliveries(
  ctx: MerchantContext,
  positions: readonly OverduePosition[],
): Promise<Row<typeof OVERDUE>[]> {
  const { id, webhookId, state, endpoint } = webhookDelivery;
  const isPending = sql`${ownedBy(ctx, webhookDelivery)} and ${state} = 'PENDING'`;
  const isLost = sql`${isPending} and ${isNotClaimed} and ${isOverdue}`;
  return await readRows(
    ctx,
    OVERDUE,
    sql`
    with recursive pending as (
      (select ${webhookId} from ${webhookDelivery} where ${isPending} order by ${webhookId} limit 1)
      union all
      select next.webhook_id from pending cross join lateral (
        select ${webhookId} from ${webhookDelivery} where ${isPending} and ${webhookId} > pending.webhook_id
        order by ${webhookId} limit 1) as next
    ), sendable as (
      select pending.webhook_id, coalesce(position."lastId", ${NO_ID}::uuid) as last_id
      from pending
      left join ${webhook} on ${ownedBy(ctx, webhook)} and ${webhook.id} = pending.webhook_id
      left join json_to_recordset(${JSON.stringify(positions)}::json) as position("webhookId" uuid, "lastId" uuid)
        on position."webhookId" = pending.webhook_id
      cross join lateral (
        select from ${webhookDelivery} where ${isLost} and ${webhookId} = pending.webhook_id
        order by ${id} limit 1) as overdue
      where ${webhook.id} is null or ${webhook.status} = 'ACTIVE'
    ), share as (
      select greatest(${sql.raw(String(MAX_DELIVERIES))} / nullif(count(*), 0), 1)::int as size from sendable
    )
    select sendable.webhook_id as "webhookId", overdue.id as "id", overdue.endpoint as "endpoint", share.size as "share"
    from share, sendable cross join lateral (
      select ${id}, ${endpoint} from ${webhookDelivery}
      where ${isLost} and ${webhookId} = sendable.webhook_id and ${id} > sendable.last_id
      order by ${id} limit (select size from share)) as overdue
    order by sendable.webhook_id, overdue.id`,
  );
}

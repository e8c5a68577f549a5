import { type SQL, sql } from 'drizzle-orm';
import { webhook, webhookDelivery } from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { idArray, ownedBy, textArray } from '../../db/sql/parameter.ts';
import { isNotClaimed } from './claim-lapse.ts';

/** Deliveries of a resumed webhook that are queued at once. The ledger sweep queues further ones. */
const MAX_QUEUED_AT_RESUME = 1_000;
/** Waiting deliveries of a webhook that are read for them: most may be for a former endpoint, and all may be millions. */
const MAX_READ_AT_RESUME = 20_000;

export type QueuedDelivery = { id: string; endpoint: string };

/** Moves also jobs that a worker holds: the caller is that worker, or knows that the worker has nothing to send. */
type Owned = { owned?: boolean };

/**
 * Queues deliveries that are due now: in the lane of their merchant, or, if many are for one endpoint, in its lane.
 * Returns the number of jobs created or moved.
 */
export async function queueDeliveries(
  ctx: MerchantContext,
  deliveries: readonly QueuedDelivery[],
  { owned = false }: Owned = {},
): Promise<number> {
  if (deliveries.length === 0) return 0;
  const [row] = await readRows(
    ctx,
    { queued: column.number },
    sql`select queue_new_webhook_deliveries(${arraysOf(ctx, deliveries)}, ${owned}::boolean) as "queued"`,
  );
  return row!.queued;
}

/**
 * Queues the oldest deliveries that waited while these webhooks were paused. Deliveries to a former endpoint are queued by
 * the ledger sweep, later: until then the app can redeliver them to the present endpoint. So are those after the oldest
 * ones of a webhook.
 */
export async function queueWaiting(ctx: MerchantContext, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return;
  const { id, webhookId, state, endpoint, nextAttemptAt, claimedAt } = webhookDelivery;
  // The conditions inside are those of the index on pending deliveries. For all webhooks at once, in the order of the ids, the
  // planner reads the primary key, with all delivered rows before the first pending one.
  const waiting = await readRows(
    ctx,
    { id: column.text, endpoint: column.text },
    sql`
    select ${id} as "id", ${endpoint} as "endpoint"
    from ${webhook} cross join lateral (
      select ${id}, ${endpoint}, ${nextAttemptAt}, ${claimedAt} from ${webhookDelivery}
      where ${ownedBy(ctx, webhookDelivery)} and ${webhookId} = ${webhook.id} and ${state} = 'PENDING'
      order by ${id} limit ${sql.raw(String(MAX_READ_AT_RESUME))}) as ${webhookDelivery}
    where ${ownedBy(ctx, webhook)} and ${webhook.id} = any(${idArray(webhookIds)}) and ${webhook.endpoint} = ${endpoint}
      and (${nextAttemptAt} is null or ${nextAttemptAt} <= now()) and ${isNotClaimed}
    order by ${id} limit ${sql.raw(String(MAX_QUEUED_AT_RESUME))}`,
  );
  await queueDeliveries(ctx, waiting);
}

/** Queues deliveries again that the caller holds, in the lanes of their endpoints. */
export async function queueRetries(
  ctx: MerchantContext,
  deliveries: readonly QueuedDelivery[],
  dueInMs: number,
): Promise<void> {
  await ctx.db.execute(sql`
    select queue_webhook_deliveries(
      ${arraysOf(ctx, deliveries)}, now() + ${Math.round(dueInMs)}::int * interval '1 ms', -1, true)`);
}

/** The first three arguments of the SQL functions through which the ledger's trigger queues too. */
function arraysOf({ merchantId }: MerchantContext, deliveries: readonly QueuedDelivery[]): SQL {
  const merchants = idArray(deliveries.map(() => merchantId));
  const ids = idArray(deliveries.map(({ id }) => id));
  return sql`${merchants}, ${ids}, ${textArray(deliveries.map(({ endpoint }) => endpoint))}`;
}

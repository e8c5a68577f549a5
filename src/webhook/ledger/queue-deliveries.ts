import { type SQL, sql } from 'drizzle-orm';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { idArray, textArray } from '../../db/sql/parameter.ts';

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

import { sql } from 'drizzle-orm';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/rows.ts';
import { idArray, textArray } from '../../db/sql/parameter.ts';

export type QueuedDelivery = { id: string; endpoint: string };

/** When the job is due, and in which lane: by default now, in the common lane. */
export type QueueOptions = {
  dueInMs?: number;
  lane?: number;
  /** Also moves jobs that a worker holds: the caller is that worker, or knows that the worker has nothing to send. */
  owned?: boolean;
};

/**
 * Calls the SQL function through which the ledger's trigger queues too. Returns the number of jobs created or moved.
 */
export async function queueDeliveries(
  ctx: MerchantContext,
  deliveries: readonly QueuedDelivery[],
  { dueInMs = 0, lane = 0, owned = false }: QueueOptions = {},
): Promise<number> {
  if (deliveries.length === 0) return 0;
  const merchants = idArray(deliveries.map(() => ctx.merchantId));
  const ids = idArray(deliveries.map(({ id }) => id));
  const endpoints = textArray(deliveries.map(({ endpoint }) => endpoint));
  const [row] = await readRows(
    ctx,
    { queued: column.number },
    sql`
    select queue_webhook_deliveries(
      ${merchants}, ${ids}, ${endpoints}, now() + ${Math.round(dueInMs)}::int * interval '1 ms', ${lane}::int,
        ${owned}::boolean) as "queued"`,
  );
  return row!.queued;
}

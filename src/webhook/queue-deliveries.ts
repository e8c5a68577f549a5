import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { idArray, textArray } from '../db/sql/parameter.ts';

export type QueuedDelivery = { id: string; endpoint: string };

/** Where in the queue: at once in the common lane, or later in a lane of the endpoint's own. */
export type Place = {
  dueInMs?: number;
  lane?: number;
  /** The caller decides about jobs that a worker holds: it is that worker, or knows that none has anything to send. */
  owned?: boolean;
};

/** The one way from TypeScript into the queue; the ledger's trigger takes it too. Answers how many jobs it made or moved. */
export async function queueDeliveries(
  ctx: Pick<Context, 'db' | 'merchantId'>,
  deliveries: readonly QueuedDelivery[],
  { dueInMs = 0, lane = 0, owned = false }: Place = {},
): Promise<number> {
  if (deliveries.length === 0) return 0;
  const merchants = idArray(deliveries.map(() => ctx.merchantId));
  const ids = idArray(deliveries.map(({ id }) => id));
  const endpoints = textArray(deliveries.map(({ endpoint }) => endpoint));
  const [row] = await ctx.db.execute<{ queued: number }>(sql`
    select queue_webhook_deliveries(
      ${merchants}, ${ids}, ${endpoints}, now() + ${Math.round(dueInMs)}::int * interval '1 ms', ${lane}::int, ${owned}::boolean) as "queued"`);
  return row!.queued;
}

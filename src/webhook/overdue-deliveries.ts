import { sql } from 'drizzle-orm';
import { webhook, webhookDelivery } from '../../drizzle/webhook.ts';
import type { Database } from '../db/connection/connect.ts';
import { CLAIM_LAPSES_AFTER_S } from './claim-deliveries.ts';
import { queueDeliveries } from './queue-deliveries.ts';

const OVERDUE_AFTER_S = 20;
const BATCH = 1_000;

/** Where a walk through the ledger stands. */
export type LedgerPlace = { merchantId: string; webhookId: string; id: string };

type Overdue = LedgerPlace & { endpoint: string };

/**
 * Queues deliveries that should have been looked at long ago: those whose webhook was paused and is
 * not any more, whose webhook is gone, or whose job got lost. For all merchants, in small steps;
 * answers where to go on, and how many jobs were missing.
 */
export async function queueOverdueDeliveries(
  db: Database,
  after: LedgerPlace | null,
): Promise<{ next: LedgerPlace | null; queued: number }> {
  const place = sql`(${webhookDelivery.merchantId}, ${webhookDelivery.webhookId}, ${webhookDelivery.id})`;
  const behind = after
    ? sql`and ${place} > (${after.merchantId}::uuid, ${after.webhookId}::uuid, ${after.id}::uuid)`
    : sql``;
  const overdue = await db.execute<Overdue>(sql`
    select ${webhookDelivery.merchantId} as "merchantId", ${webhookDelivery.webhookId} as "webhookId", ${webhookDelivery.id} as "id",
      ${webhookDelivery.endpoint} as "endpoint"
    from ${webhookDelivery}
    left join ${webhook} on ${webhook.merchantId} = ${webhookDelivery.merchantId} and ${webhook.id} = ${webhookDelivery.webhookId}
    where ${webhookDelivery.state} = 'PENDING'
      and coalesce(${webhookDelivery.nextAttemptAt}, ${webhookDelivery.createdAt}) < now() - make_interval(secs => ${sql.raw(String(OVERDUE_AFTER_S))})
      and (${webhookDelivery.claimedAt} is null or ${webhookDelivery.claimedAt} < now() - make_interval(secs => ${sql.raw(String(CLAIM_LAPSES_AFTER_S))}))
      and (${webhook.id} is null or ${webhook.status} = 'ACTIVE') ${behind}
    order by ${webhookDelivery.merchantId}, ${webhookDelivery.webhookId}, ${webhookDelivery.id} limit ${sql.raw(String(BATCH))}`);
  let queued = 0;
  for (const [merchantId, deliveries] of Map.groupBy(overdue, ({ merchantId }) => merchantId)) {
    queued += await queueDeliveries({ db, merchantId }, deliveries);
  }
  return { next: overdue.length === BATCH ? overdue.at(-1)! : null, queued };
}

/** A part of the queue with something due, and whose the first job in it is. */
export type Lane = { lane: number; merchantId: string; endpointKey: string };

/**
 * Frees the jobs of workers that are gone; the ledger decides whether a request may still be made. Answers the
 * lanes that have something due.
 */
export async function inspectQueue(db: Database): Promise<Lane[]> {
  const [row] = await db.execute<{ lanes: Lane[] | null }>(sql`
    select release_lapsed_webhook_jobs(make_interval(secs => ${CLAIM_LAPSES_AFTER_S}::int)) as "released",
      (
        select json_agg(json_build_object('lane', due.lane, 'merchantId', due.merchant, 'endpointKey', due.endpoint_key))
        from due_webhook_lanes() due
      ) as "lanes"`);
  return row!.lanes ?? [];
}

import { sql } from 'drizzle-orm';
import { webhook, webhookDelivery } from '../../../drizzle/webhook.ts';
import { column, readRows } from '../../db/connection/rows.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import type { Database } from '../../db/connection/connect.ts';
import { CLAIM_LAPSE_S, isNotClaimed } from './claim-lapse.ts';
import { queueDeliveries } from './queue-deliveries.ts';

const OVERDUE_AFTER_S = 20;
const BATCH_SIZE = 1_000;

/** The last row of a batch, after which the next batch begins. */
export type LedgerPosition = { merchantId: string; webhookId: string; id: string };

/**
 * Queues one batch of deliveries, of all merchants, that are long overdue: their webhook was resumed or deleted, or
 * their job was lost. Returns where the next batch begins, and how many jobs were missing.
 */
export async function queueOverdueDeliveries(
  { db, across }: AcrossContext,
  after: LedgerPosition | null,
): Promise<{ next: LedgerPosition | null; queued: number }> {
  const position = sql`(${webhookDelivery.merchantId}, ${webhookDelivery.webhookId}, ${webhookDelivery.id})`;
  const behind = after
    ? sql`and ${position} > (${after.merchantId}::uuid, ${after.webhookId}::uuid, ${after.id}::uuid)`
    : sql``;
  const overdue = await across.rows(
    'queueOverdueDeliveries',
    { merchantId: column.text, webhookId: column.text, id: column.text, endpoint: column.text },
    sql`
    select ${webhookDelivery.merchantId} as "merchantId", ${webhookDelivery.webhookId} as "webhookId",
      ${webhookDelivery.id} as "id",
      ${webhookDelivery.endpoint} as "endpoint"
    from ${webhookDelivery}
    left join ${webhook} on ${webhook.merchantId} = ${webhookDelivery.merchantId}
      and ${webhook.id} = ${webhookDelivery.webhookId}
    where ${webhookDelivery.state} = 'PENDING'
      and coalesce(${webhookDelivery.nextAttemptAt}, ${webhookDelivery.createdAt})
        < now() - make_interval(secs => ${sql.raw(String(OVERDUE_AFTER_S))})
      and ${isNotClaimed}
      and (${webhook.id} is null or ${webhook.status} = 'ACTIVE') ${behind}
    order by ${webhookDelivery.merchantId}, ${webhookDelivery.webhookId}, ${webhookDelivery.id}
      limit ${sql.raw(String(BATCH_SIZE))}`,
  );
  let queued = 0;
  for (const [merchantId, deliveries] of Map.groupBy(overdue, ({ merchantId }) => merchantId)) {
    queued += await queueDeliveries({ db, merchantId }, deliveries);
  }
  return { next: overdue.length === BATCH_SIZE ? overdue.at(-1)! : null, queued };
}

/** The lane of an endpoint with due jobs, and the owner of the first one. */
export type Lane = { lane: number; merchantId: string; endpointKey: string };

/** Lanes that one inspection answers. They take Postgres one index look-up each. */
export const MAX_INSPECTED_LANES = 1_000;

/**
 * Frees the jobs of dead workers, and returns the lanes of endpoints below `below` that have due jobs, in descending
 * order. Freeing is safe: the ledger decides whether another request may be made.
 */
export async function inspectQueue(db: Database, below = 0): Promise<Lane[]> {
  const [row] = await readRows(
    { db },
    { lanes: column.nullable(column.json<Lane[]>) },
    sql`
    select release_lapsed_webhook_jobs(make_interval(secs => ${CLAIM_LAPSE_S}::int)) as "released",
      (
        select json_agg(json_build_object(
          'lane', due.lane, 'merchantId', due.merchant, 'endpointKey', due.endpoint_key))
        from due_webhook_lanes(${below}::int, ${sql.raw(String(MAX_INSPECTED_LANES))}) due
      ) as "lanes"`,
  );
  return row!.lanes ?? [];
}

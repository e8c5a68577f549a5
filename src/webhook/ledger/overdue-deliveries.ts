import { sql } from 'drizzle-orm';
import { webhook, webhookDelivery } from '../../../drizzle/webhook.ts';
import { column } from '../../db/connection/read-rows.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import type { MerchantFailures } from '../../db/write/merchant-failures.ts';
import { isNotClaimed } from './claim-lapse.ts';
import { queueDeliveries } from './queue-deliveries.ts';

const OVERDUE_AFTER_S = 20;
const BATCH_SIZE = 1_000;

/** The last row of a batch, after which the next batch begins. */
export type LedgerPosition = { merchantId: string; webhookId: string; id: string };

/**
 * Queues one batch of deliveries, of all merchants, that are long overdue: their webhook was resumed or deleted, or
 * their job was lost. Returns where the next batch begins; null after the last one.
 */
export async function queueOverdueDeliveries(
  { db, across }: AcrossContext,
  after: LedgerPosition | null,
  failures: MerchantFailures,
): Promise<LedgerPosition | null> {
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
  for (const [merchantId, deliveries] of Map.groupBy(overdue, ({ merchantId }) => merchantId))
    await failures.attempt(merchantId, () => queueDeliveries({ db, merchantId }, deliveries));
  return overdue.length === BATCH_SIZE ? overdue.at(-1)! : null;
}

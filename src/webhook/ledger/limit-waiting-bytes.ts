import { sql } from 'drizzle-orm';
import { ALL_TRUNCATED, webhook, webhookDelivery } from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { column } from '../../db/connection/read-rows.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { moment } from '../../db/sql/timestamp.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { MerchantFailures } from '../../db/write/merchant-failures.ts';
import { logWithReason } from './attempt-log.ts';
import { FAILURE_REASONS } from './failure-reason.ts';
import { payloadBytes } from './payload-bytes.ts';

/** Deliveries per statement. The number is small, because a save of the webhook waits for the row lock meanwhile. */
const BATCH_SIZE = 1_000;

/**
 * Limits the payload bytes that wait for paused webhooks, per merchant. Past the limit the oldest deliveries fail and
 * keep only the id of their record. Deliveries of active webhooks do not count and never fail here. Returns the number
 * of failed deliveries.
 */
export async function limitWaitingBytes(
  { db, across }: AcrossContext,
  { maxWaitingBytes }: { maxWaitingBytes: number },
  signal?: AbortSignal,
): Promise<number> {
  const merchants = await across.rows(
    'merchantsOverWaitingBytes',
    { merchantId: column.text },
    sql`
    select ${webhook.merchantId} as "merchantId"
    from ${webhook} join ${webhookDelivery} on ${webhookDelivery.merchantId} = ${webhook.merchantId}
      and ${webhookDelivery.webhookId} = ${webhook.id}
    where ${webhook.status} = 'PAUSED' and ${webhookDelivery.state} = 'PENDING'
    group by ${webhook.merchantId} having sum(${payloadBytes}) > ${maxWaitingBytes}::bigint`,
  );
  const failures = new MerchantFailures();
  let failed = 0;
  for (const { merchantId } of merchants) {
    if (signal?.aborted) return failed;
    failed += (await failures.attempt(merchantId, () => limitOf({ db, merchantId }, maxWaitingBytes, signal))) ?? 0;
  }
  failures.throwAny();
  return failed;
}

async function limitOf(ctx: MerchantContext, maxWaitingBytes: number, signal?: AbortSignal): Promise<number> {
  let failed = 0;
  for (let count = BATCH_SIZE; count === BATCH_SIZE && !signal?.aborted; failed += count)
    count = await failOldest(ctx, maxWaitingBytes);
  return failed;
}

/**
 * The share lock orders this against a save that resumes a webhook: the save waits, or commits first and keeps its
 * deliveries.
 */
async function failOldest(ctx: MerchantContext, maxWaitingBytes: number): Promise<number> {
  return await inTransaction(ctx, async (ctx) => {
    await ctx.db.execute(
      sql`select from ${webhook} where ${ownedBy(ctx, webhook)} and ${webhook.status} = 'PAUSED'
        order by ${webhook.id} for share`,
    );
    const rows = await ctx.db.execute(sql`
      update ${webhookDelivery}
      set state = 'FAILED', data = '{"id":"' || ${webhookDelivery.recordId}::text || '"}',
        details = null, changes = null, truncated = ${ALL_TRUNCATED}::json,
        attempt_log = ${logWithReason(FAILURE_REASONS.quotaExceeded)}
      from (
        select waiting.id from (
          select ${webhookDelivery.id} as id,
            sum(${payloadBytes}) over (order by ${webhookDelivery.id} desc) as bytes_since
          from ${webhookDelivery} join ${webhook} on ${ownedBy(ctx, webhook)}
            and ${webhook.id} = ${webhookDelivery.webhookId}
          where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.state} = 'PENDING'
            and ${webhookDelivery.claimedAt} is null and ${webhook.status} = 'PAUSED'
        ) as waiting
        where waiting.bytes_since > ${maxWaitingBytes}::bigint order by waiting.id limit ${sql.raw(String(BATCH_SIZE))}
      ) as oldest, ${moment}
      where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.id} = oldest.id
      returning ${webhookDelivery.id}`);
    return rows.length;
  });
}

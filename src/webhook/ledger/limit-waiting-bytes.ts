import { sql } from 'drizzle-orm';
import { ALL_TRUNCATED, webhook, webhookDelivery } from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { column } from '../../db/connection/read-rows.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { idArray } from '../../db/sql/parameter.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { moment } from '../../db/sql/timestamp.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { forEachMerchant } from '../../db/write/for-each-merchant.ts';
import { logWithReason } from './attempt-log.ts';
import { FAILURE_REASONS } from './failure-reason.ts';
import { BATCH_SIZE, batchSize, newestOverLimit, waitsFor } from './waiting-bytes.ts';

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
  const limit = async (ctx: MerchantContext, { webhookIds }: PausedWebhooks): Promise<number> =>
    await limitOf(ctx, { webhookIds, maxWaitingBytes }, signal);
  return await forEachMerchant(db, await pausedByMerchant(across), limit, signal);
}

type PausedWebhooks = { readonly merchantId: string; readonly webhookIds: readonly string[] };

/** The ids of the paused webhooks of each merchant. */
export async function pausedByMerchant(across: AcrossContext['across']): Promise<PausedWebhooks[]> {
  const paused = await across.rows(
    'pausedWebhooks',
    { merchantId: column.text, id: column.text },
    sql`select ${webhook.merchantId} as "merchantId", ${webhook.id} as "id" from ${webhook}
      where ${webhook.status} = 'PAUSED'`,
  );
  const byMerchant = Map.groupBy(paused, ({ merchantId }) => merchantId);
  return [...byMerchant].map(([merchantId, own]) => ({ merchantId, webhookIds: own.map(({ id }) => id) }));
}

async function limitOf(
  ctx: MerchantContext,
  { webhookIds, maxWaitingBytes }: { webhookIds: readonly string[]; maxWaitingBytes: number },
  signal?: AbortSignal,
): Promise<number> {
  const lastId = await newestOverLimit(ctx, { webhookIds, maxWaitingBytes });
  let failed = 0;
  for (let count = BATCH_SIZE; lastId !== null && count === BATCH_SIZE && !signal?.aborted; failed += count)
    count = await failUntil(ctx, webhookIds, lastId);
  return failed;
}

/**
 * Fails the oldest deliveries of these webhooks, up to `lastId`, and returns their number. None once a webhook has been
 * resumed, because its bytes are part of the excess: the next run counts again. The lock orders this against a save
 * that resumes a webhook: the save waits, or commits first and keeps its deliveries. It is shared with redeliveries,
 * which lock deliveries before their webhooks, and with other workers, which find the deliveries failed.
 */
async function failUntil(ctx: MerchantContext, webhookIds: readonly string[], lastId: string): Promise<number> {
  return await inTransaction(ctx, async (ctx) => {
    const paused = await ctx.db.execute(
      sql`select from ${webhook} where ${ownedBy(ctx, webhook)} and ${webhook.id} = any(${idArray(webhookIds)})
        and ${webhook.status} = 'PAUSED' order by ${webhook.id} for share`,
    );
    if (paused.length < webhookIds.length) return 0;
    const failed = await ctx.db.execute(sql`
      update ${webhookDelivery}
      set state = 'FAILED', data = '{"id":"' || ${webhookDelivery.recordId}::text || '"}',
        details = null, changes = null, truncated = ${ALL_TRUNCATED}::json,
        attempt_log = ${logWithReason(FAILURE_REASONS.quotaExceeded)}
      from ${moment}
      where ${waitsFor(ctx, sql`any(${idArray(webhookIds)})`)} and ${webhookDelivery.id} = any(array(
        select oldest.id from unnest(${idArray(webhookIds)}) as paused(id) cross join lateral (
          select ${webhookDelivery.id} from ${webhookDelivery}
          where ${waitsFor(ctx, sql`paused.id`)} and ${webhookDelivery.id} <= ${lastId}::uuid
          order by ${webhookDelivery.id} limit ${batchSize}
        ) as oldest
        order by oldest.id limit ${batchSize}))
      returning ${webhookDelivery.id}`);
    return failed.length;
  });
}

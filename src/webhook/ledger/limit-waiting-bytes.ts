import { type SQL, sql } from 'drizzle-orm';
import { ALL_TRUNCATED, webhook, webhookDelivery } from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { forEachMerchant } from '../../db/across/for-each-merchant.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { moment } from '../../db/sql/timestamp.ts';
import { logWithReason } from './attempt-log.ts';
import { FAILURE_REASONS } from './failure-reason.ts';
import { type PausedWebhooks, pausedByMerchant } from './paused-webhooks.ts';
import { payloadBytes } from './payload-bytes.ts';

/**
 * Deliveries per statement. The number is small, because long changes are read to count their bytes, and because a save
 * of the webhook waits for the row lock while deliveries fail.
 */
const BATCH_SIZE = 1_000;

const batchSize = sql.raw(String(BATCH_SIZE));

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
 * The newest delivery that exceeds the limit together with those after it; null without one. Found from the newest
 * backwards, because this result stays the same while another worker fails the oldest ones.
 */
async function newestOverLimit(
  ctx: MerchantContext,
  { webhookIds, maxWaitingBytes }: { webhookIds: readonly string[]; maxWaitingBytes: number },
): Promise<string | null> {
  let remaining = maxWaitingBytes;
  for (let before: string | null = null; ;) {
    const isBefore: SQL = before === null ? sql`true` : sql`${webhookDelivery.id} < ${before}::uuid`;
    const [page] = await readRows(
      ctx,
      {
        bytes: column.number,
        count: column.number,
        firstId: column.nullable(column.text),
        overId: column.nullable(column.text),
      },
      sql`
      select coalesce(sum(page.bytes), 0)::float8 as "bytes", count(*)::int as "count", min(page.id::text) as "firstId",
        max(page.id::text) filter (where page.bytes_since > ${remaining}::float8) as "overId"
      from (
        select sized.id, sized.bytes, sum(sized.bytes) over (order by sized.id desc) as bytes_since
        from (
          select ${webhookDelivery.id}, ${payloadBytes} as bytes from ${webhookDelivery}
          where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.id} = any(array(
            select newest.id from unnest(${idArray(webhookIds)}) as paused(id) cross join lateral (
              select ${webhookDelivery.id} from ${webhookDelivery}
              where ${waitsFor(ctx, sql`paused.id`)} and ${isBefore} order by ${webhookDelivery.id} desc limit ${batchSize}
            ) as newest
            order by newest.id desc limit ${batchSize}))
          limit ${batchSize}
        ) as sized
      ) as page`,
    );
    if (page!.overId !== null || page!.count < BATCH_SIZE) return page!.overId;
    remaining -= page!.bytes;
    before = page!.firstId;
  }
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

/**
 * Selects pending deliveries of the paused webhook that have had no request: those that it has begun to send get all their
 * requests. An index serves the first three conditions.
 */
function waitsFor(ctx: MerchantContext, webhookId: SQL): SQL {
  return sql`${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.webhookId} = ${webhookId}
    and ${webhookDelivery.state} = 'PENDING' and ${webhookDelivery.claimedAt} is null
    and ${webhookDelivery.attempts} = 0`;
}

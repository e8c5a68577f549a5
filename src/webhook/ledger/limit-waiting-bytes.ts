import { type SQL, sql } from 'drizzle-orm';
import { ALL_TRUNCATED, webhook, webhookDelivery } from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { forEachMerchant } from '../../db/across/for-each-merchant.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { firstIdOf } from '../../db/sql/id.ts';
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

/** A part of the limit by which it may be exceeded before all that waits is counted again. */
const EXCESS_PART = 1 / 16;
/** Deliveries that are added to a count. With more, all are counted again, in batches. */
const MAX_ADDED = 20_000;
/** A transaction of the service is committed so long after the first id that it makes. */
const SETTLED_AFTER_S = 180;
/** A count may miss what a longer transaction of plain SQL has written. */
const COUNT_LASTS_MS = 24 * 60 * 60_000;

/** `bytes`: those that wait for the webhooks up to the delivery `untilId`, or fewer since some were sent. */
type Counted = {
  readonly webhooks: string;
  readonly untilId: string;
  readonly bytes: number;
  readonly endsAtMs: number;
};

/** What a worker has counted, by merchants. Without it a paused webhook would cost it a look at all that waits, each time. */
export type CountedBytes = Map<string, Counted>;

type Limits = { readonly maxWaitingBytes: number; readonly counted?: CountedBytes };

/**
 * Limits the payload bytes that wait for paused webhooks, per merchant. Past the limit the oldest deliveries fail and
 * keep only the id of their record. Deliveries of active webhooks do not count and never fail here. Returns the number
 * of failed deliveries.
 */
export async function limitWaitingBytes(
  { db, across }: AcrossContext,
  { maxWaitingBytes, counted = new Map() }: Limits,
  signal?: AbortSignal,
): Promise<number> {
  const paused = await pausedByMerchant(across);
  const merchants = new Set(paused.map(({ merchantId }) => merchantId));
  for (const merchantId of counted.keys()) if (!merchants.has(merchantId)) counted.delete(merchantId);
  const settledId = await lastSettledId(db);
  const limit = async (ctx: MerchantContext, { webhookIds }: PausedWebhooks): Promise<number> => {
    const waiting = { webhookIds, maxWaitingBytes, settledId };
    const known = counted.get(ctx.merchantId);
    const isKnown = known !== undefined && known.webhooks === keyOf(webhookIds) && performance.now() < known.endsAtMs;
    const next = isKnown ? await recount(ctx, waiting, known) : null;
    if (next === null) return await limitOf(ctx, waiting, counted, signal);
    counted.set(ctx.merchantId, next);
    return 0;
  };
  return await forEachMerchant(db, paused, limit, signal);
}

type Waiting = { readonly webhookIds: readonly string[]; readonly maxWaitingBytes: number; readonly settledId: string };

function keyOf(webhookIds: readonly string[]): string {
  return webhookIds.toSorted().join();
}

/** No delivery with this id or an earlier one is still to be committed. By the clock of the database, which makes the ids. */
async function lastSettledId(db: AcrossContext['db']): Promise<string> {
  const [settled] = await readRows(
    { db },
    { ms: column.number },
    sql`select floor(extract(epoch from now()) * 1000)::float8 - ${SETTLED_AFTER_S * 1000}::float8 as "ms"`,
  );
  return firstIdOf(settled!.ms);
}

/** Adds what is newer to a count. Null if all has to be counted again. */
async function recount(
  ctx: MerchantContext,
  { webhookIds, maxWaitingBytes, settledId }: Waiting,
  known: Counted,
): Promise<Counted | null> {
  const [added] = await readRows(
    ctx,
    { bytes: column.number, settled: column.number, count: column.number },
    sql`
    select coalesce(sum(sized.bytes), 0)::float8 as "bytes", count(*)::int as "count",
      coalesce(sum(sized.bytes) filter (where sized.id <= ${settledId}::uuid), 0)::float8 as "settled"
    from (
      select ${webhookDelivery.id}, ${payloadBytes} as bytes from ${webhookDelivery}
      where ${waitsFor(ctx, sql`any(${idArray(webhookIds)})`)} and ${webhookDelivery.id} > ${known.untilId}::uuid
      limit ${sql.raw(String(MAX_ADDED))}) as sized`,
  );
  const isOver = known.bytes + added!.bytes > maxWaitingBytes * (1 + EXCESS_PART);
  if (isOver || added!.count === MAX_ADDED) return null;
  return { ...known, untilId: settledId, bytes: known.bytes + added!.settled };
}

async function limitOf(
  ctx: MerchantContext,
  waiting: Waiting,
  counted: CountedBytes,
  signal?: AbortSignal,
): Promise<number> {
  const { webhookIds, settledId } = waiting;
  const { lastId, settledBytes } = await newestOverLimit(ctx, waiting);
  // After some have failed, the next call counts what is left.
  counted.delete(ctx.merchantId);
  if (lastId === null)
    counted.set(ctx.merchantId, {
      webhooks: keyOf(webhookIds),
      untilId: settledId,
      bytes: settledBytes,
      endsAtMs: performance.now() + COUNT_LASTS_MS,
    });
  let failed = 0;
  for (let count = BATCH_SIZE; lastId !== null && count === BATCH_SIZE && !signal?.aborted; failed += count)
    count = await failUntil(ctx, webhookIds, lastId);
  return failed;
}

/**
 * `lastId`: the newest delivery that exceeds the limit together with those after it; null without one. Found from the
 * newest backwards, because this result stays the same while another worker fails the oldest ones. `settledBytes`: the
 * bytes up to `settledId` that were read.
 */
async function newestOverLimit(
  ctx: MerchantContext,
  { webhookIds, maxWaitingBytes, settledId }: Waiting,
): Promise<{ lastId: string | null; settledBytes: number }> {
  let remaining = maxWaitingBytes;
  let settledBytes = 0;
  for (let before: string | null = null; ;) {
    const isBefore: SQL = before === null ? sql`true` : sql`${webhookDelivery.id} < ${before}::uuid`;
    const [page] = await readRows(
      ctx,
      {
        bytes: column.number,
        settled: column.number,
        count: column.number,
        firstId: column.nullable(column.text),
        overId: column.nullable(column.text),
      },
      sql`
      select coalesce(sum(page.bytes), 0)::float8 as "bytes", count(*)::int as "count", min(page.id::text) as "firstId",
        coalesce(sum(page.bytes) filter (where page.id <= ${settledId}::uuid), 0)::float8 as "settled",
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
    settledBytes += page!.settled;
    if (page!.overId !== null || page!.count < BATCH_SIZE) return { lastId: page!.overId, settledBytes };
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

import { sql } from 'drizzle-orm';
import { webhookAttemptCount } from '../../../drizzle/webhook-attempt-count.ts';
import type { MerchantContext } from '../../context.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { deleteOldest } from '../../db/across/delete-oldest.ts';
import type { AttemptOutcome } from './settle-deliveries.ts';

const HOUR_MS = 3_600_000;
/** Counts are kept for longer than the 24 hours that `Webhook.health` shows. */
const KEPT_HOURS = 48;
/**
 * Durations are counted in classes, four for each doubling: the limits of a class differ by 19 %, and 10 seconds are in
 * class 53.
 */
const CLASSES_PER_DOUBLING = 4;

type Count = Pick<typeof webhookAttemptCount.$inferInsert, 'webhookId' | 'hour' | 'delivered' | 'durationClass'> & {
  count: number;
  maxDurationMs: number;
  lastAt: number;
};

/**
 * Adds the requests to the counts of their webhooks. Attempts without a request, or whose request was aborted by a stop,
 * have no duration and do not count. A webhook has at most about a hundred rows an hour, so that its health takes the
 * same time with a million deliveries.
 */
export async function countAttempts(ctx: MerchantContext, settled: readonly AttemptOutcome[]): Promise<void> {
  // All writers lock rows in this order, so that two of them cannot deadlock. The rows are VALUES, because on Citus a
  // statement that selects its rows from JSON takes seven times as long.
  const rows = [...tally(settled)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([, { webhookId, hour, delivered, durationClass, count, maxDurationMs, lastAt }]) => sql`
      (${ctx.merchantId}::uuid, ${webhookId}::uuid, ${hour}::timestamptz, ${delivered}::boolean, ${durationClass}::integer,
        ${count}::integer, ${maxDurationMs}::integer, ${new Date(lastAt).toISOString()}::timestamptz)`,
    );
  if (rows.length === 0) return;
  await ctx.db.execute(sql`
    insert into ${webhookAttemptCount} as known
      (merchant_id, webhook_id, hour, delivered, duration_class, count, max_duration_ms, last_at)
    values ${sql.join(rows, sql`, `)}
    on conflict (merchant_id, webhook_id, hour, delivered, duration_class) do update set
      count = known.count + excluded.count,
      max_duration_ms = greatest(known.max_duration_ms, excluded.max_duration_ms),
      last_at = greatest(known.last_at, excluded.last_at)`);
}

/** Removes old counts of all merchants, and returns their number. */
export async function removeOldAttemptCounts(ctx: AcrossContext, signal?: AbortSignal): Promise<number> {
  const { hour } = webhookAttemptCount;
  const isDue = sql`${hour} < now() - make_interval(hours => ${sql.raw(String(KEPT_HOURS))})`;
  return await deleteOldest(ctx, { table: webhookAttemptCount, time: hour, isDue }, signal);
}

function tally(settled: readonly AttemptOutcome[]): Map<string, Count> {
  const counts = new Map<string, Count>();
  for (const { webhookId, delivered, log } of settled) {
    const maxDurationMs = log.durationMs;
    if (maxDurationMs === null) continue;
    const hour = new Date(Math.floor(log.at / HOUR_MS) * HOUR_MS).toISOString();
    const durationClass = Math.floor(CLASSES_PER_DOUBLING * Math.log2(maxDurationMs + 1));
    const key = [webhookId, hour, delivered, String(durationClass).padStart(3, '0')].join(' ');
    const known = counts.get(key) ?? {
      webhookId,
      hour,
      delivered,
      durationClass,
      count: 0,
      maxDurationMs: 0,
      lastAt: 0,
    };
    counts.set(key, {
      ...known,
      count: known.count + 1,
      maxDurationMs: Math.max(known.maxDurationMs, maxDurationMs),
      lastAt: Math.max(known.lastAt, log.at),
    });
  }
  return counts;
}

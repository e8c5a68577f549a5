import { type SQL, sql } from 'drizzle-orm';
import { idempotencyUsage } from '../../drizzle/idempotency.ts';
import type { Context } from '../context.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { pipelineStep, type PipelineStep, pipeline } from '../db/write/pipeline.ts';
import { CommerceError } from '../errors.ts';

/** Of the answers that are kept for all apps of a merchant. */
export const MAX_KEPT_BYTES = 1024 * 1024 * 1024;
/** What a key takes beside its answer: its row and its entries in two indexes. */
const KEY_BYTES = 512;

type Kept = { bytes: number; retryAfterS: number };

/** Refuses a request with a new key where the merchant's kept answers leave no room for another. */
export async function checkKeptBytes(ctx: Context): Promise<void> {
  refuseFrom(MAX_KEPT_BYTES, await pipeline(ctx, [keptBytes(ctx)]));
}

/**
 * Counts an answer, and refuses it where it is too much. The statements go last in the transaction of the answer:
 * others who count for the same merchant wait for its end, and see what it has added. Only at the turn of an hour
 * two may count apart, and go over the quota by one answer.
 */
export async function addKeptBytes(ctx: Context, before: readonly PipelineStep[], answerBytes: number): Promise<void> {
  refuseFrom(
    MAX_KEPT_BYTES + 1,
    await pipeline(ctx, [...before, pipelineStep(addition(ctx, answerBytes + KEY_BYTES)), keptBytes(ctx)]),
  );
}

/** By hours, so that nothing has to be counted anew when keys expire: an hour counts until the last of its keys has. */
function addition(ctx: Context, bytes: number): SQL {
  return sql`
    insert into ${idempotencyUsage} as stored (merchant_id, expires_at, bytes)
    values (${ctx.merchantId}, date_trunc('hour', now()) + interval '25 hours', ${bytes})
    on conflict (merchant_id, expires_at) do update set bytes = stored.bytes + excluded.bytes`;
}

/** Reads a row for each of the last 25 hours at most. */
function keptBytes(ctx: Context): PipelineStep<Kept> {
  return {
    statement: sql`
      select coalesce(sum(${idempotencyUsage.bytes}), 0)::float8 as "bytes",
        coalesce(ceil(extract(epoch from min(${idempotencyUsage.expiresAt}) - now())), 0)::float8 as "retryAfterS"
      from ${idempotencyUsage} where ${ownedBy(ctx, idempotencyUsage)} and ${idempotencyUsage.expiresAt} > now()`,
    read: ([row]) => row as Kept,
  };
}

function refuseFrom(limit: number, { bytes, retryAfterS }: Kept): void {
  if (bytes < limit) return;
  const message = `The answers kept for this merchant's Idempotency-Keys take all of ${MAX_KEPT_BYTES} bytes. Select less of the answers, send without a key, or try again in ${retryAfterS} seconds. Nothing was changed.`;
  throw new CommerceError('RATE_LIMITED', message, { retryAfter: retryAfterS });
}

import { type SQL, sql } from 'drizzle-orm';
import { idempotencyUsage } from '../../drizzle/idempotency.ts';
import type { Context } from '../context.ts';
import { pipeline, pipelineStep, type PipelineStep } from '../db/connection/pipeline.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { CommerceError } from '../errors.ts';

/** Stored responses of all apps of a merchant. */
export const MAX_STORED_BYTES = 1024 * 1024 * 1024;
/** What a key takes besides its response: a row, and entries in two indexes. */
const KEY_OVERHEAD_BYTES = 512;

type Usage = { bytes: number; retryAfterS: number };

/** Refuses a request with a new key if the merchant's stored responses use the whole quota. */
export async function checkStoredBytes(ctx: Context): Promise<void> {
  checkQuota(MAX_STORED_BYTES, await pipeline(ctx, [storedBytes(ctx)]));
}

/**
 * Adds a response to the usage, and refuses it if the usage exceeds the quota. It locks the merchant's row, so that
 * concurrent transactions of the merchant wait and then see what this one has added. It therefore runs last in the
 * transaction, after the deferred triggers (on a cluster the nodes still execute those in the commit). Two transactions can
 * only miss each other at the change of the hour, and exceed the quota by one response.
 */
export async function addStoredBytes(
  ctx: Context,
  before: readonly PipelineStep[],
  responseBytes: number,
): Promise<void> {
  checkQuota(
    MAX_STORED_BYTES + 1,
    await pipeline(ctx, [...before, pipelineStep(addUsage(ctx, responseBytes + KEY_OVERHEAD_BYTES)), storedBytes(ctx)]),
  );
}

/** One row per hour, which counts until the last key of the hour expires. So expired keys need no recount. */
function addUsage(ctx: Context, bytes: number): SQL {
  return sql`
    insert into ${idempotencyUsage} as stored (merchant_id, expires_at, bytes)
    values (${ctx.merchantId}, date_trunc('hour', now()) + interval '25 hours', ${bytes})
    on conflict (merchant_id, expires_at) do update set bytes = stored.bytes + excluded.bytes`;
}

/** Reads at most 25 rows, one per hour. */
function storedBytes(ctx: Context): PipelineStep<Usage> {
  return {
    statement: sql`
      select coalesce(sum(${idempotencyUsage.bytes}), 0)::float8 as "bytes",
        coalesce(ceil(extract(epoch from min(${idempotencyUsage.expiresAt}) - now())), 0)::float8 as "retryAfterS"
      from ${idempotencyUsage} where ${ownedBy(ctx, idempotencyUsage)} and ${idempotencyUsage.expiresAt} > now()`,
    read: ([row]) => row as Usage,
  };
}

function checkQuota(limit: number, { bytes, retryAfterS }: Usage): void {
  if (bytes < limit) return;
  const message = `The answers kept for this merchant's Idempotency-Keys take all of ${MAX_STORED_BYTES} bytes. Select less of the answers, send without a key, or try again in ${retryAfterS} seconds. Nothing was changed.`;
  throw new CommerceError('RATE_LIMITED', message, { retryAfter: retryAfterS });
}

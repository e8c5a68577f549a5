import { addAbortListener } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import { variantType, variantValue } from '../../../drizzle/variant-type.ts';
import type { Context } from '../../context.ts';
import { isLockTimeout, limitLockWaits } from '../../db/across/merchant-context.ts';
import type { DatabaseContext } from '../../db/connection/database.ts';
import { pipeline } from '../../db/connection/pipeline.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { isDatabaseUnavailable } from '../../db/errors/database-error.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { lockRecords } from '../../db/write/saved-record.ts';
import { lockedRows } from '../../db/write/stored-rows.ts';
import { touch } from '../../db/write/touch.ts';
import { update } from '../../db/write/write.ts';
import { CommerceError, type Issue, notFound } from '../../errors.ts';
import { isLastAttempt, retryDelayMs, type RetryDelaysMs } from '../../limits/retry-policy.ts';
import { attachToVariants } from '../attach-image.ts';
import { fetchImage } from '../fetch-image.ts';
import { discardUnrecorded, storeImage, type StoredUpload, recordImage } from '../store-image.ts';
import type { ImageDependencies } from '../upload-image.ts';
import type { ClaimedImage } from './claim-bulk-images.ts';
import { requestOrigin } from './request-origin.ts';
import { requestedImages } from './requested-images.ts';

type AttemptContext = DatabaseContext & Pick<Context, 'log' | 'merchantId'> & ImageDependencies;
/** How soon a failure is written again after the database was away. */
const WRITE_AGAIN_MS = 1_000;

/** `isUncounted`: the cause was not the picture, so the attempt does not count. */
type Failed = { readonly problem: string; readonly mayRetry: boolean; readonly isUncounted?: boolean };

/** The pictures of other merchants wait for the connection meanwhile. */
const LOCKED: Failed = { problem: 'belongs to what is being changed', mayRetry: true, isUncounted: true };
const INTERRUPTED: Failed = { problem: 'was interrupted', mayRetry: true, isUncounted: true };

export type AttemptSettings = { retryDelaysMs: RetryDelaysMs; signal: AbortSignal };

/**
 * Fetches the picture of a URL and attaches it to all variants and values that claimed it. An aborted attempt does not
 * count.
 */
export async function attemptBulkImage(
  ctx: AttemptContext,
  url: string,
  claimed: readonly ClaimedImage[],
  { retryDelaysMs, signal }: AttemptSettings,
): Promise<void> {
  const stored = await fetchUntilAborted(ctx, url, signal);
  const recordedIds = new Set<string>();
  for (const image of claimed) {
    const failed = 'problem' in stored ? stored : await attach(ctx, image, stored, recordedIds);
    if (failed) await postponeUntilAborted(ctx, image, failed, { retryDelaysMs, signal });
  }
  if (!('problem' in stored)) await discardUnrecorded(ctx, stored, recordedIds);
}

/** An abort does not end the request or the decoding that was begun: they end when the process closes both. */
async function fetchUntilAborted(
  ctx: AttemptContext,
  url: string,
  signal: AbortSignal,
): Promise<StoredUpload | Failed> {
  const aborted = Promise.withResolvers<Failed>();
  const listener = addAbortListener(signal, () => aborted.resolve(INTERRUPTED));
  try {
    return await Promise.race([fetchAndStore(ctx, url, signal), aborted.promise]);
  } finally {
    listener[Symbol.dispose]();
  }
}

async function fetchAndStore(ctx: AttemptContext, url: string, signal: AbortSignal): Promise<StoredUpload | Failed> {
  let bytes: Buffer;
  try {
    bytes = await fetchImage(ctx.outbound, url, []);
  } catch (error) {
    return signal.aborted ? INTERRUPTED : { problem: describe(error, ctx), mayRetry: true };
  }
  try {
    return await storeImage(ctx, bytes, []);
  } catch (error) {
    if (signal.aborted) return INTERRUPTED;
    const isInvalidPicture = error instanceof CommerceError && error.code === 'ARGUMENT_VALIDATION_ERROR';
    return {
      problem: describe(error, ctx),
      mayRetry: !isInvalidPicture,
      isUncounted: !(await ctx.storage.isWritable()),
    };
  }
}

/** The part of the error that the merchant may read. */
function describe(error: unknown, { log, merchantId }: AttemptContext): string {
  const [issue] = error instanceof CommerceError ? ((error.extensions['issues'] as Issue[] | undefined) ?? []) : [];
  if (issue) return issue.message;
  if (error instanceof CommerceError) return error.message;
  if (isDatabaseUnavailable(error)) return 'could not be kept';
  log.error({ err: error, merchantId }, 'a picture of a bulk request could not be kept');
  return 'could not be kept';
}

/**
 * Returns null if the picture is attached, or if a later bulk request has removed the row because it wants other
 * pictures. Adds the id of the picture before the transaction ends: whether a commit that fails has happened is
 * unknown.
 */
async function attach(
  ctx: AttemptContext,
  row: ClaimedImage,
  stored: StoredUpload,
  recordedIds: Set<string>,
): Promise<Failed | null> {
  try {
    const origin = await requestOrigin(ctx, row.bulkOperationId);
    await inTransaction({ ...ctx, ...(origin && { origin }) }, async (ctx) => {
      await limitLockWaits(ctx);
      const imageId = await recordImage(ctx, stored);
      if (row.variantId !== null) await attachRequested(ctx, row, imageId);
      else await setThumbnail(ctx, row, imageId);
      await markDone(ctx, row, imageId);
      recordedIds.add(imageId);
    });
    return null;
  } catch (error) {
    if (error instanceof Superseded) return null;
    if (isLockTimeout(error)) return LOCKED;
    const isGone = error instanceof CommerceError && error.code === 'NOT_FOUND';
    return {
      problem: isGone ? 'belongs to what was deleted' : describe(error, ctx),
      mayRetry: !isGone,
      isUncounted: isDatabaseUnavailable(error),
    };
  }
}

/** Pictures come in any order. The place of each, and the main one, follow from the request alone. */
async function attachRequested(ctx: AttemptContext, row: ClaimedImage, imageId: string): Promise<void> {
  const requested = await requestedImages(ctx, row);
  const target = { ids: [row.variantId!], idsPath: [] };
  await attachToVariants(ctx, target, { ...row, imageId, sourceUrl: row.url }, requested);
}

class Superseded extends Error {}

/** Locks the type before its value, in the order of every save. The type shows its values, so it changes too. */
async function setThumbnail(
  ctx: AttemptContext,
  { variantTypeId, variantValueId }: ClaimedImage,
  imageId: string,
): Promise<void> {
  const [value] = await pipeline(ctx, [
    lockRecords(ctx, variantType, [variantTypeId!]),
    lockedRows(ctx, variantValue, { member: 'id', ids: [variantValueId!] }),
  ]);
  if (!value || value.deleted) throw notFound('VariantValue', [variantValueId!]);
  if (value.thumbnailImageId === imageId) return;
  await pipeline(ctx, [
    ...touch(ctx, variantType, [variantTypeId!]),
    ...update(ctx, variantValue, [{ id: value.id, thumbnailImageId: imageId }]),
  ]);
}

async function markDone(ctx: AttemptContext, { id }: ClaimedImage, imageId: string): Promise<void> {
  const transactionId = ctx.changeTransactionId ?? null;
  const done = await ctx.db.execute(sql`
    update ${bulkOperationImage}
      set state = 'DONE', error = null, image_id = ${imageId}, updated_at = now(),
        change_transaction_id = ${transactionId}::uuid
    where ${ownedBy(ctx, bulkOperationImage)} and ${bulkOperationImage.id} = ${id}
      and ${bulkOperationImage.state} = 'PENDING' returning ${bulkOperationImage.id}`);
  if (done.length === 0) throw new Superseded();
}

/** Repeated until the database answers: an attempt that it did not let succeed would count otherwise. */
async function postponeUntilAborted(
  ctx: AttemptContext,
  image: ClaimedImage,
  failed: Failed,
  { retryDelaysMs, signal }: AttemptSettings,
): Promise<void> {
  for (;;) {
    try {
      return await postpone(ctx, image, failed, retryDelaysMs);
    } catch (error) {
      if (signal.aborted || !isDatabaseUnavailable(error)) throw error;
      await wait(WRITE_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Changes nothing if the claim has lapsed and the picture was claimed again. */
async function postpone(
  ctx: AttemptContext,
  { id, attempts }: ClaimedImage,
  { problem, mayRetry, isUncounted = false }: Failed,
  delaysMs: RetryDelaysMs,
): Promise<void> {
  const counted = isUncounted ? attempts - 1 : attempts;
  const isLast = !mayRetry || isLastAttempt(counted);
  // A third attempt that does not count is repeated after the same wait as the second.
  const delayMs = retryDelayMs(delaysMs, Math.min(attempts, delaysMs.length));
  // The column has milliseconds. Truncated, because a time rounded up would be in the future.
  await ctx.db.execute(sql`
    update ${bulkOperationImage}
      set state = ${isLast ? 'FAILED' : 'PENDING'}, attempts = ${counted}, error = ${problem}, updated_at = now(),
        next_attempt_at = date_trunc('milliseconds', now()) + ${delayMs} * interval '1 millisecond'
    where ${ownedBy(ctx, bulkOperationImage)} and ${bulkOperationImage.id} = ${id}
      and ${bulkOperationImage.state} = 'PENDING' and ${bulkOperationImage.attempts} = ${attempts}`);
}

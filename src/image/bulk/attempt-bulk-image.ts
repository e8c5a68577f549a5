import { addAbortListener } from 'node:events';
import { sql } from 'drizzle-orm';
import { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import { variantType, variantValue } from '../../../drizzle/variant-type.ts';
import type { Context } from '../../context.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { CommerceError, type Issue, notFound } from '../../errors.ts';
import { attachToVariants } from '../attach-image.ts';
import { fetchImage } from '../fetch-image.ts';
import { discardOther, keepImage, type KeptImage, recordImage } from '../keep-image.ts';
import type { ImageDependencies } from '../upload-image.ts';
import { ATTEMPTS_MAX, type ClaimedImage } from './claim-bulk-images.ts';

/** Before the second attempt and before the third, which is the last. */
export const RETRY_DELAYS_MS = [10_000, 60_000] as const;

type Shop = Pick<Context, 'db' | 'log' | 'merchantId'> & ImageDependencies;
type RetryDelaysMs = readonly [number, number];
/** `isGivenBack`: it was not the picture's fault, and the attempt does not count. */
type Failed = { readonly problem: string; readonly mayPass: boolean; readonly isGivenBack?: boolean };

const INTERRUPTED: Failed = { problem: 'was interrupted', mayPass: true, isGivenBack: true };

export type AttemptSettings = { retryDelaysMs: RetryDelaysMs; signal: AbortSignal };

/** Fetches a picture and gives it to the variants and values that claimed it, all from the same address. When it is aborted, the attempt does not count. */
export async function attemptBulkImage(
  ctx: Shop,
  url: string,
  claimed: readonly ClaimedImage[],
  { retryDelaysMs, signal }: AttemptSettings,
): Promise<void> {
  const kept = await fetchUntilAborted(ctx, url, signal);
  for (const image of claimed) {
    const failed = 'problem' in kept ? kept : await attach(ctx, image, kept);
    if (failed) await postpone(ctx, image, failed, retryDelaysMs);
  }
}

/** What was begun ends with the outgoing requests and the decoders of the process. */
async function fetchUntilAborted(ctx: Shop, url: string, signal: AbortSignal): Promise<KeptImage | Failed> {
  const aborted = Promise.withResolvers<Failed>();
  const listener = addAbortListener(signal, () => aborted.resolve(INTERRUPTED));
  try {
    return await Promise.race([fetchAndKeep(ctx, url, signal), aborted.promise]);
  } finally {
    listener[Symbol.dispose]();
  }
}

async function fetchAndKeep(ctx: Shop, url: string, signal: AbortSignal): Promise<KeptImage | Failed> {
  let bytes: Buffer;
  try {
    bytes = await fetchImage(ctx.outbound, url, []);
  } catch (error) {
    return signal.aborted ? INTERRUPTED : { problem: inWords(error, ctx), mayPass: true };
  }
  try {
    return await keepImage(ctx, bytes, []);
  } catch (error) {
    if (signal.aborted) return INTERRUPTED;
    const isPicturesFault = error instanceof CommerceError && error.code === 'ARGUMENT_VALIDATION_ERROR';
    return { problem: inWords(error, ctx), mayPass: !isPicturesFault, isGivenBack: !(await ctx.storage.isWritable()) };
  }
}

/** What the merchant may read of it. */
function inWords(error: unknown, { log, merchantId }: Shop): string {
  const [issue] = error instanceof CommerceError ? ((error.extensions['issues'] as Issue[] | undefined) ?? []) : [];
  if (issue) return issue.message;
  if (error instanceof CommerceError) return error.message;
  log.error({ err: error, merchantId }, 'a picture of a bulk request could not be kept');
  return 'could not be kept';
}

/** Nothing when a later request wants other pictures by now: it has removed the row. */
async function attach(ctx: Shop, row: ClaimedImage, kept: KeptImage): Promise<Failed | null> {
  try {
    const keptId = await inTransaction(ctx, async (ctx) => {
      const imageId = await recordImage(ctx, kept);
      if (row.variantId !== null)
        await attachToVariants(ctx, { ids: [row.variantId], idsPath: [] }, { ...row, imageId, sourceUrl: row.url });
      else await setThumbnail(ctx, row, imageId);
      await markDone(ctx, row);
      return imageId;
    });
    await discardOther(ctx, kept, keptId);
    return null;
  } catch (error) {
    if (error instanceof Superseded) return null;
    const isGone = error instanceof CommerceError && error.code === 'NOT_FOUND';
    return { problem: isGone ? 'belongs to what was deleted' : inWords(error, ctx), mayPass: !isGone };
  }
}

class Superseded extends Error {}

/** The type before its value, as every save locks them. */
async function setThumbnail(
  ctx: Shop,
  { variantTypeId, variantValueId }: ClaimedImage,
  imageId: string,
): Promise<void> {
  await ctx.db.execute(
    sql`update ${variantType} set updated_at = now() where ${ownedBy(ctx, variantType)} and ${variantType.id} = ${variantTypeId}`,
  );
  const changed = await ctx.db.execute(sql`
    update ${variantValue} set thumbnail_image_id = ${imageId}, updated_at = now()
    where ${ownedBy(ctx, variantValue)} and ${variantValue.id} = ${variantValueId} and not ${variantValue.deleted} returning ${variantValue.id}`);
  if (changed.length === 0) throw notFound('VariantValue', [variantValueId!]);
}

async function markDone(ctx: Shop, { id }: ClaimedImage): Promise<void> {
  const done = await ctx.db.execute(sql`
    update ${bulkOperationImage} set state = 'DONE', error = null, updated_at = now()
    where ${ownedBy(ctx, bulkOperationImage)} and ${bulkOperationImage.id} = ${id} and ${bulkOperationImage.state} = 'PENDING' returning ${bulkOperationImage.id}`);
  if (done.length === 0) throw new Superseded();
}

async function postpone(
  ctx: Shop,
  { id, attempts }: ClaimedImage,
  { problem, mayPass, isGivenBack = false }: Failed,
  delaysMs: RetryDelaysMs,
): Promise<void> {
  const counted = isGivenBack ? attempts - 1 : attempts;
  const isLast = !mayPass || counted >= ATTEMPTS_MAX;
  // The column holds milliseconds: rounded up, a time that has come would still be to come.
  await ctx.db.execute(sql`
    update ${bulkOperationImage} set state = ${isLast ? 'FAILED' : 'PENDING'}, attempts = ${counted}, error = ${problem}, updated_at = now(),
      next_attempt_at = date_trunc('milliseconds', now()) + ${delaysMs[attempts - 1] ?? 0} * interval '1 millisecond'
    where ${ownedBy(ctx, bulkOperationImage)} and ${bulkOperationImage.id} = ${id} and ${bulkOperationImage.state} = 'PENDING'`);
}

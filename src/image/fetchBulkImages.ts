import { sql } from 'drizzle-orm';
import { bulkOperationImage } from '../../drizzle/bulk-operation.ts';
import { variantType, variantValue } from '../../drizzle/variant-type.ts';
import type { Context } from '../context.ts';
import { of } from '../db/tenant.ts';
import { inTransaction } from '../db/transaction.ts';
import { CommerceError, type Issue, notFound } from '../errors.ts';
import { attachToVariants } from './attachImage.ts';
import { fetchImage } from './fetchImage.ts';
import { discardOther, keepImage, type KeptImage, recordImage } from './keepImage.ts';
import type { ImageParts } from './uploadImage.ts';

const ATTEMPTS = 3;
/** Before the second attempt and before the third, which is the last. */
const RETRY_DELAYS_MS = [10_000, 60_000] as const;
/** Longer than an attempt takes; after that it counts as one that ended with its process. */
const ATTEMPT_LAPSES_MS = 120_000;
/** As each may be 20 MB. */
const PICTURES_AT_ONCE = 4;
const INTERRUPTED = 'was interrupted three times';

export type Fetcher = Pick<Context, 'db' | 'log'> & ImageParts;
export type FetchSettings = { retryDelaysMs?: readonly [number, number]; attemptLapsesMs?: number; signal?: AbortSignal };

type Shop = Fetcher & { readonly merchantId: string };
type Claimed = {
  id: string;
  url: string;
  attempts: number;
  variantId: string | null;
  variantTypeId: string | null;
  variantValueId: string | null;
  isMain: boolean;
  isVideo: boolean | null;
  order: number;
};
type Failed = { readonly problem: string; readonly mayPass: boolean };

/**
 * Fetches the pictures that bulk requests have named and that are due, of all merchants, a few of each in
 * turn, until there are none. Several processes may do it: a row is claimed before its attempt.
 */
export async function fetchBulkImages(fetcher: Fetcher, settings: FetchSettings = {}): Promise<void> {
  while (!settings.signal?.aborted) {
    const merchants = await merchantsWithDue(fetcher);
    if (merchants.length === 0) return;
    const share = Math.ceil(PICTURES_AT_ONCE / merchants.length);
    await Promise.all(merchants.map(async (merchantId) => await fetchSome({ ...fetcher, merchantId }, share, settings)));
  }
}

async function merchantsWithDue({ db }: Fetcher): Promise<string[]> {
  const rows = await db.execute<{ merchantId: string }>(sql`
    select ${bulkOperationImage.merchantId} as "merchantId" from ${bulkOperationImage}
    where ${bulkOperationImage.state} = 'PENDING' and ${bulkOperationImage.nextAttemptAt} <= now()
    group by ${bulkOperationImage.merchantId} order by min(${bulkOperationImage.nextAttemptAt}) limit ${sql.raw(String(PICTURES_AT_ONCE))}`);
  return rows.map(({ merchantId }) => merchantId);
}

async function fetchSome(ctx: Shop, count: number, settings: FetchSettings): Promise<void> {
  await giveUpInterrupted(ctx);
  const claimed = await claim(ctx, count, settings.attemptLapsesMs ?? ATTEMPT_LAPSES_MS);
  await Promise.all(Map.groupBy(claimed, ({ url }) => url).entries().map(async ([url, rows]) => {
    const kept = await fetchAndKeep(ctx, url);
    for (const row of rows) await settle(ctx, row, kept, settings);
  }));
}

/** Fewer than three attempts were made, and none is under way. */
async function claim(ctx: Shop, count: number, attemptLapsesMs: number): Promise<Claimed[]> {
  const due = sql`${of(ctx, bulkOperationImage)} and ${bulkOperationImage.state} = 'PENDING' and ${bulkOperationImage.nextAttemptAt} <= now()
    and ${bulkOperationImage.attempts} < ${sql.raw(String(ATTEMPTS))}`;
  return await ctx.db.execute<Claimed>(sql`
    update ${bulkOperationImage} set attempts = ${bulkOperationImage.attempts} + 1, next_attempt_at = now() + ${attemptLapsesMs} * interval '1 millisecond'
    where ${of(ctx, bulkOperationImage)} and ${bulkOperationImage.id} in (
      select ${bulkOperationImage.id} from ${bulkOperationImage} where ${due}
      order by ${bulkOperationImage.nextAttemptAt}, ${bulkOperationImage.id} limit ${count} for update skip locked)
    returning ${bulkOperationImage.id}, ${bulkOperationImage.url}, ${bulkOperationImage.attempts}, ${bulkOperationImage.variantId} as "variantId",
      ${bulkOperationImage.variantTypeId} as "variantTypeId", ${bulkOperationImage.variantValueId} as "variantValueId",
      ${bulkOperationImage.isMain} as "isMain", ${bulkOperationImage.isVideo} as "isVideo", ${bulkOperationImage.order}::float8 as "order"`);
}

async function fetchAndKeep(ctx: Shop, url: string): Promise<KeptImage | Failed> {
  let bytes: Buffer;
  try {
    bytes = await fetchImage(ctx.outbound, url, []);
  } catch (error) {
    return { problem: inWords(error, ctx), mayPass: true };
  }
  try {
    return await keepImage(ctx, bytes, []);
  } catch (error) {
    const isPicturesFault = error instanceof CommerceError && error.code === 'ARGUMENT_VALIDATION_ERROR';
    return { problem: inWords(error, ctx), mayPass: !isPicturesFault };
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

async function settle(ctx: Shop, row: Claimed, kept: KeptImage | Failed, settings: FetchSettings): Promise<void> {
  const failed = 'problem' in kept ? kept : await attach(ctx, row, kept);
  if (failed) await postpone(ctx, row, failed, settings.retryDelaysMs ?? RETRY_DELAYS_MS);
}

/** Nothing when a later request wants other pictures by now: it has removed the row. */
async function attach(ctx: Shop, row: Claimed, kept: KeptImage): Promise<Failed | null> {
  try {
    const keptId = await inTransaction(ctx, async (ctx) => {
      const imageId = await recordImage(ctx, kept);
      if (row.variantId !== null) await attachToVariants(ctx, { ids: [row.variantId], idsPath: [] }, { ...row, imageId, sourceUrl: row.url });
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
async function setThumbnail(ctx: Shop, { variantTypeId, variantValueId }: Claimed, imageId: string): Promise<void> {
  await ctx.db.execute(sql`update ${variantType} set updated_at = now() where ${of(ctx, variantType)} and ${variantType.id} = ${variantTypeId}`);
  const changed = await ctx.db.execute(sql`
    update ${variantValue} set thumbnail_image_id = ${imageId}, updated_at = now()
    where ${of(ctx, variantValue)} and ${variantValue.id} = ${variantValueId} and not ${variantValue.deleted} returning ${variantValue.id}`);
  if (changed.length === 0) throw notFound('VariantValue', [variantValueId!]);
}

async function markDone(ctx: Shop, { id }: Claimed): Promise<void> {
  const done = await ctx.db.execute(sql`
    update ${bulkOperationImage} set state = 'DONE', error = null, updated_at = now()
    where ${of(ctx, bulkOperationImage)} and ${bulkOperationImage.id} = ${id} and ${bulkOperationImage.state} = 'PENDING' returning ${bulkOperationImage.id}`);
  if (done.length === 0) throw new Superseded();
}

async function postpone(ctx: Shop, { id, attempts }: Claimed, { problem, mayPass }: Failed, delaysMs: readonly [number, number]): Promise<void> {
  const isLast = !mayPass || attempts >= ATTEMPTS;
  // The column holds milliseconds: rounded up, a time that has come would still be to come.
  await ctx.db.execute(sql`
    update ${bulkOperationImage} set state = ${isLast ? 'FAILED' : 'PENDING'}, error = ${problem}, updated_at = now(),
      next_attempt_at = date_trunc('milliseconds', now()) + ${delaysMs[attempts - 1] ?? 0} * interval '1 millisecond'
    where ${of(ctx, bulkOperationImage)} and ${bulkOperationImage.id} = ${id} and ${bulkOperationImage.state} = 'PENDING'`);
}

/** Those whose process ended in the middle of the last attempt. */
async function giveUpInterrupted(ctx: Shop): Promise<void> {
  await ctx.db.execute(sql`
    update ${bulkOperationImage} set state = 'FAILED', error = coalesce(${bulkOperationImage.error}, ${INTERRUPTED}), updated_at = now()
    where ${of(ctx, bulkOperationImage)} and ${bulkOperationImage.state} = 'PENDING'
      and ${bulkOperationImage.nextAttemptAt} <= now() and ${bulkOperationImage.attempts} >= ${sql.raw(String(ATTEMPTS))}`);
}

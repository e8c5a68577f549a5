import type { Context } from '../context.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { attachImage, checkImageTarget } from './attach-image.ts';
import { decodeBase64 } from './base64.ts';
import type { Decoder } from './decoder.ts';
import { fetchImage } from './fetch-image.ts';
import { discardUnrecorded, storeImage, type StoreOptions, type StoredUpload, recordImage } from './store-image.ts';
import type { MonitoredStorage } from './storage.ts';
import type { ImageSource, ImageUpload } from './upload-input.ts';

/** Dependencies of operations on pictures, besides the database. */
export type ImageDependencies = {
  readonly storage: MonitoredStorage;
  readonly decoder: Decoder;
  readonly outbound: Outbound;
};

export type ImageUploadArgs = ImageUpload & { readonly file: Buffer | null };

/**
 * Adds a picture to all target records, or to none, and returns its id. Inside a transaction the caller passes
 * `stored`, the result of `storeUpload`, because no picture is fetched or decoded in a transaction.
 */
export async function uploadImage(
  ctx: Context & ImageDependencies,
  args: ImageUploadArgs,
  stored?: StoredUpload,
): Promise<string> {
  const picture = stored ?? (await storeUpload(ctx, args));
  const imageId = await inTransaction(ctx, async (ctx) => {
    const imageId = await recordImage(ctx, picture);
    await attachImage(ctx, args.target, imageId);
    return imageId;
  });
  // Only outside of a transaction, which must not wait for the storage. Inside one, `sweepImages` removes the object
  // later.
  if (!stored) await discardUnrecorded(ctx, picture, new Set([imageId]));
  return imageId;
}

/** Fetches, decodes and stores the picture, which may take seconds. A dry run stores nothing. */
export async function storeUpload(
  ctx: Context & ImageDependencies,
  { target, source, file }: ImageUploadArgs,
  options: StoreOptions = {},
): Promise<StoredUpload> {
  await checkImageTarget(ctx, target);
  return await storeImage(ctx, await bytesOf(ctx, source, file), source.path, options);
}

async function bytesOf({ outbound }: ImageDependencies, source: ImageSource, file: Buffer | null): Promise<Buffer> {
  if (source.kind === 'file') return file!;
  return source.kind === 'url'
    ? await fetchImage(outbound, source.text, source.path)
    : decodeBase64(source.text, source.path);
}

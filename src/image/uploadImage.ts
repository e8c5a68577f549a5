import type { Context } from '../context.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { attachImage, checkImageTarget } from './attachImage.ts';
import { decodeBase64 } from './base64.ts';
import type { Decoder } from './decoder.ts';
import { fetchImage } from './fetchImage.ts';
import { keepImage, recordImage } from './keepImage.ts';
import type { WatchedStorage } from './storage.ts';
import type { ImageSource, ImageUpload } from './upload-input.ts';

/** What pictures need beside the database. */
export type ImageParts = { readonly storage: WatchedStorage; readonly decoder: Decoder; readonly outbound: Outbound };

export type ImageUploadArgs = ImageUpload & { readonly file: Buffer | null };

/** Adds a picture to all the records named, or to none, and answers its id. */
export async function uploadImage(ctx: Context & ImageParts, { target, source, file }: ImageUploadArgs): Promise<string> {
  await checkImageTarget(ctx, target);
  const kept = await keepImage(ctx, await bytesOf(ctx, source, file), source.path);
  return await inTransaction(ctx, async (ctx) => {
    const imageId = await recordImage(ctx, kept);
    await attachImage(ctx, target, imageId);
    return imageId;
  });
}

async function bytesOf({ outbound }: ImageParts, source: ImageSource, file: Buffer | null): Promise<Buffer> {
  if (source.kind === 'file') return file!;
  return source.kind === 'url' ? await fetchImage(outbound, source.text, source.path) : decodeBase64(source.text, source.path);
}

import { sql } from 'drizzle-orm';
import { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import type { Context } from '../../context.ts';
import { pipelineStep, pipeline } from '../../db/connection/pipeline.ts';
import { idArray } from '../../db/sql/parameter.ts';
import { insert } from '../../db/write/write.ts';
import type { BulkEntry } from './bulk-entry.ts';
import { imagesToRecord, variantsWithImages } from './bulk-images.ts';
import { missingThumbnails, type RequestedThumbnail, requestedThumbnails } from './bulk-thumbnails.ts';
import { removeImages } from './remove-images.ts';
import type { ResolvedNames } from './resolve-names.ts';

/** Notified when there are images to fetch. */
export const BULK_IMAGES_CHANNEL = 'bulk_operation_image';

/**
 * Records the requested images that the merchant does not have. The worker fetches them. Images that earlier requests
 * asked for and that are not fetched yet, or could not be fetched, are no longer wanted: those of the variants and values
 * whose images the request names.
 */
export async function saveBulkImages(
  ctx: Context,
  bulkOperationId: string,
  entries: BulkEntry[],
  names: ResolvedNames,
): Promise<void> {
  const thumbnails = requestedThumbnails(entries, names);
  await removeEarlier(ctx, variantsWithImages(entries), thumbnails);
  const images = [...imagesToRecord(ctx, entries), ...(await missingThumbnails(ctx, thumbnails))];
  if (images.length === 0) return;
  const rows = images.map((image) => ({ ...image, bulkOperationId }));
  await pipeline(ctx, [
    ...insert(ctx, bulkOperationImage, rows),
    pipelineStep(sql`select pg_notify(${BULK_IMAGES_CHANNEL}, '')`),
  ]);
}

async function removeEarlier(
  ctx: Context,
  variants: readonly { id: string }[],
  thumbnails: readonly RequestedThumbnail[],
): Promise<void> {
  if (variants.length === 0 && thumbnails.length === 0) return;
  const { variantId, variantValueId, state } = bulkOperationImage;
  const variantIds = variants.map(({ id }) => id);
  const valueIds = thumbnails.map(({ variantValueId }) => variantValueId);
  await removeImages(
    ctx,
    sql`${state} <> 'DONE'
      and (${variantId} = any(${idArray(variantIds)}) or ${variantValueId} = any(${idArray(valueIds)}))`,
  );
}

import { sql } from 'drizzle-orm';
import { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import type { Context } from '../../context.ts';
import { pipelineStep, pipeline } from '../../db/connection/pipeline.ts';
import { insert } from '../../db/write/write.ts';
import type { BulkEntry } from './bulk-entry.ts';
import { imagesToRecord } from './bulk-images.ts';
import { missingThumbnails } from './bulk-thumbnails.ts';
import type { ResolvedNames } from './resolve-names.ts';

/** Notified when there are images to fetch. */
export const BULK_IMAGES_CHANNEL = 'bulk_operation_image';

/** Records the requested images that the merchant does not have. The worker fetches them. */
export async function saveBulkImages(
  ctx: Context,
  bulkOperationId: string,
  entries: BulkEntry[],
  names: ResolvedNames,
): Promise<void> {
  const images = [...(await imagesToRecord(ctx, entries)), ...(await missingThumbnails(ctx, entries, names))];
  if (images.length === 0) return;
  const rows = images.map((image) => ({ ...image, bulkOperationId }));
  await pipeline(ctx, [
    ...insert(ctx, bulkOperationImage, rows),
    pipelineStep(sql`select pg_notify(${BULK_IMAGES_CHANNEL}, '')`),
  ]);
}

import { type SQL, sql } from 'drizzle-orm';
import { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import type { StoredImage } from '../../../drizzle/product.ts';
import type { Context } from '../../context.ts';
import { newId } from '../../db/sql/id.ts';
import { idArray } from '../../db/sql/parameter.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { pipelineStep, pipeline } from '../../db/write/pipeline.ts';
import { insert } from '../../db/write/write.ts';
import type { BulkVariantInput } from './bulk-products-input.ts';
import type { BulkEntry } from '../bulkUpdateProducts.ts';
import { missingThumbnails } from './bulk-thumbnails.ts';
import type { ResolvedNames } from './resolve-names.ts';
import { sortedImages, withMainImage } from '../save/variant-images.ts';

/** Told to whoever fetches, when there is something to fetch. */
export const BULK_IMAGES_CHANNEL = 'bulk_operation_image';

type Owner = { productId: string; variantId: string };
type Wanted = Owner & { url: string; isMain: boolean; isVideo: boolean | null; order: number; path: string };

/** A picture that is to be fetched, for a variant or a variant value. */
export type MissingImage = Omit<typeof bulkOperationImage.$inferInsert, 'merchantId' | 'bulkOperationId'>;

/** Records the pictures that a bulk request names and the merchant does not have, for them to be fetched in the background. */
export async function saveBulkImages(
  ctx: Context,
  bulkOperationId: string,
  entries: BulkEntry[],
  parts: ResolvedNames,
): Promise<void> {
  const missing = [...(await missingImages(ctx, entries)), ...(await missingThumbnails(ctx, entries, parts))];
  if (missing.length === 0) return;
  const rows = missing.map((image) => ({ ...image, bulkOperationId }));
  await pipeline(ctx, [
    ...insert(ctx, bulkOperationImage, rows),
    pipelineStep(sql`select pg_notify(${BULK_IMAGES_CHANNEL}, '')`),
  ]);
}

/**
 * The pictures that the request names and its variants do not have: what is there already from the same address stays, what is
 * not named has gone with `withBulkImages`, and here goes what an earlier request has not fetched yet.
 */
async function missingImages(ctx: Context, entries: BulkEntry[]): Promise<MissingImage[]> {
  const named = entries.flatMap(({ product, write }) =>
    product.variants.flatMap(({ images }, index) => (images === undefined ? [] : [write.variants[index]!.row])),
  );
  if (named.length === 0) return [];
  const known = new Set(
    named.flatMap(({ id, images }) => (images ?? []).map(({ sourceUrl }) => key({ variantId: id, url: sourceUrl }))),
  );
  await ctx.db.execute(
    forgetPending(
      ctx,
      named.map(({ id }) => id),
    ),
  );
  const missing = entries.flatMap(wantedImages).filter((image) => !known.has(key(image)));
  return missing.map((image) => ({ ...image, id: newId(), variantTypeId: null, variantValueId: null }));
}

/** The pictures of a variant that a bulk request leaves it: those from the addresses that it names, as it names them. */
export function withBulkImages(
  stored: readonly StoredImage[],
  wanted: NonNullable<BulkVariantInput['images']>,
): StoredImage[] {
  const byUrl = new Map(wanted.map((image) => [image.imageUrl, image]));
  const kept = stored.flatMap((image) => {
    const named = image.sourceUrl === null ? undefined : byUrl.get(image.sourceUrl);
    return named ? [{ ...image, isMain: named.isMain, isVideo: named.isVideo ?? null, order: named.order }] : [];
  });
  return withMainImage(sortedImages(kept));
}

function wantedImages({ product, path, write }: BulkEntry): Wanted[] {
  return product.variants.flatMap(({ images }, index) =>
    (images ?? []).map(({ imageUrl, isMain, isVideo, order }, image) => ({
      productId: write.row.id!,
      variantId: write.variants[index]!.row.id!,
      url: imageUrl,
      isMain,
      isVideo: isVideo ?? null,
      order,
      path: [...path, 'variants', index, 'images', image, 'imageUrl'].join('.'),
    })),
  );
}

function key({ variantId, url }: { variantId: string; url: string | null }): string {
  return `${variantId} ${url ?? ''}`;
}

function forgetPending(ctx: Context, variantIds: readonly string[]): SQL {
  return sql`
    delete from ${bulkOperationImage} where ${ownedBy(ctx, bulkOperationImage)}
      and ${bulkOperationImage.variantId} = any(${idArray(variantIds)}) and ${bulkOperationImage.state} = 'PENDING'`;
}

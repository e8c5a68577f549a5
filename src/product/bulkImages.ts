import { type SQL, sql } from 'drizzle-orm';
import { bulkOperationImage } from '../../drizzle/bulk-operation.ts';
import { variantImage } from '../../drizzle/product-relation.ts';
import type { Context } from '../context.ts';
import { newId } from '../db/id.ts';
import { idList } from '../db/parameter.ts';
import { of } from '../db/tenant.ts';
import { insertRows, run } from '../db/write.ts';
import type { BulkEntry } from './bulkUpdateProducts.ts';
import { missingThumbnails } from './bulkThumbnails.ts';
import { chooseMainImages } from './chooseMainImages.ts';
import type { NamedParts } from './namedParts.ts';

/** Told to whoever fetches, when there is something to fetch. */
export const BULK_IMAGES_CHANNEL = 'bulk_operation_image';

type Owner = { productId: string; variantId: string };
type Wanted = Owner & { url: string; isMain: boolean; isVideo: boolean | null; order: number; path: string };

/** A picture that is to be fetched, for a variant or a variant value. */
export type MissingImage = Omit<typeof bulkOperationImage.$inferInsert, 'merchantId' | 'bulkOperationId'>;

/** Records the pictures that a bulk request names and the merchant does not have, for them to be fetched in the background. */
export async function saveBulkImages(ctx: Context, bulkOperationId: string, entries: BulkEntry[], parts: NamedParts): Promise<void> {
  const missing = [...(await missingImages(ctx, entries)), ...(await missingThumbnails(ctx, entries, parts))];
  if (missing.length === 0) return;
  await insertRows(ctx, bulkOperationImage, missing.map((image) => ({ ...image, bulkOperationId })));
  await ctx.db.execute(sql`select pg_notify(${BULK_IMAGES_CHANNEL}, '')`);
}

/**
 * Makes the pictures that the request names those of its variants: what is there already from the same
 * address stays, what is not named goes, even what an earlier request has not fetched yet.
 */
async function missingImages(ctx: Context, entries: BulkEntry[]): Promise<MissingImage[]> {
  const owners = entries.flatMap(({ product, write }) =>
    product.variants.flatMap(({ images }, index) => (images === undefined ? [] : [{ productId: write.row.id!, variantId: write.variants[index]!.row.id! }])));
  if (owners.length === 0) return [];
  const wanted = entries.flatMap(wantedImages);
  const stored = await storedImages(ctx, owners);
  const [named, known] = [new Set(wanted.map(key)), new Set(stored.map(key))];
  await run(ctx, [
    forgetPending(ctx, owners),
    ...removeImages(ctx, stored.filter((image) => !named.has(key(image)))),
    ...arrangeImages(ctx, wanted.filter((image) => known.has(key(image)))),
    chooseMainImages(ctx, owners),
  ]);
  const missing = wanted.filter((image) => !known.has(key(image)));
  return missing.map((image) => ({ ...image, id: newId(), variantTypeId: null, variantValueId: null }));
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
    })));
}

type Stored = Owner & { imageId: string; url: string | null };

function key({ variantId, url }: { variantId: string; url: string | null }): string {
  return `${variantId} ${url ?? ''}`;
}

async function storedImages(ctx: Context, owners: Owner[]): Promise<Stored[]> {
  return await ctx.db.execute<Stored>(sql`
    select ${variantImage.productId} as "productId", ${variantImage.variantId} as "variantId", ${variantImage.imageId} as "imageId", ${variantImage.sourceUrl} as "url"
    from ${variantImage} where ${of(ctx, variantImage)} and ${variantImage.productId} = any(${idList([...new Set(owners.map(({ productId }) => productId))])})
      and ${variantImage.variantId} = any(${idList(owners.map(({ variantId }) => variantId))})`);
}

function forgetPending(ctx: Context, owners: Owner[]): SQL {
  return sql`
    delete from ${bulkOperationImage} where ${of(ctx, bulkOperationImage)}
      and ${bulkOperationImage.variantId} = any(${idList(owners.map(({ variantId }) => variantId))}) and ${bulkOperationImage.state} = 'PENDING'`;
}

function removeImages(ctx: Context, images: Stored[]): SQL[] {
  if (images.length === 0) return [];
  return [sql`
    delete from ${variantImage} where ${of(ctx, variantImage)}
      and (${variantImage.productId}, ${variantImage.variantId}, ${variantImage.imageId}) in (
        select "productId", "variantId", "imageId"
        from json_to_recordset(${JSON.stringify(images)}::json) as gone ("productId" uuid, "variantId" uuid, "imageId" text))`];
}

function arrangeImages(ctx: Context, images: Wanted[]): SQL[] {
  if (images.length === 0) return [];
  return [sql`
    update ${variantImage} set is_main = wanted."isMain", is_video = wanted."isVideo", "order" = wanted."order"
    from json_to_recordset(${JSON.stringify(images)}::json)
      as wanted ("productId" uuid, "variantId" uuid, "url" text, "isMain" boolean, "isVideo" boolean, "order" numeric)
    where ${of(ctx, variantImage)} and ${variantImage.productId} = wanted."productId" and ${variantImage.variantId} = wanted."variantId"
      and ${variantImage.sourceUrl} = wanted."url"`];
}

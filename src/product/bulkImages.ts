import { sql } from 'drizzle-orm';
import { bulkOperationImage } from '../../drizzle/bulk-operation.ts';
import { variantImage } from '../../drizzle/product-relation.ts';
import type { Context } from '../context.ts';
import { newId } from '../db/id.ts';
import { idList } from '../db/parameter.ts';
import { of } from '../db/tenant.ts';
import { insertRows } from '../db/write.ts';
import type { BulkEntry } from './bulkUpdateProducts.ts';

type Wanted = { productId: string; variantId: string; url: string; isMain: boolean; isVideo: boolean | null; order: number; path: string };

/**
 * Makes the pictures that a bulk request names those of its variants: what is there already from the
 * same address stays, what is not named goes, the rest is left to be fetched.
 */
export async function saveBulkImages(ctx: Context, bulkOperationId: string, entries: BulkEntry[]): Promise<void> {
  const wanted = entries.flatMap(wantedImages);
  const variantIds = entries.flatMap(({ product, write }) =>
    product.variants.flatMap(({ images }, index) => (images === undefined ? [] : [write.variants[index]!.row.id!])));
  if (variantIds.length === 0) return;
  const there = await storedImages(ctx, variantIds);
  const named = new Set(wanted.map(key));
  await removeImages(ctx, there.filter((image) => !named.has(key(image))));
  await arrangeImages(ctx, wanted.filter((image) => there.some((stored) => key(stored) === key(image))));
  const known = new Set(there.map(key));
  const missing = wanted.filter((image) => !known.has(key(image)));
  await insertRows(ctx, bulkOperationImage, missing.map((image) => ({ ...image, id: newId(), bulkOperationId })));
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

type Stored = { productId: string; variantId: string; imageId: string; url: string | null };

function key({ variantId, url }: { variantId: string; url: string | null }): string {
  return `${variantId} ${url ?? ''}`;
}

async function storedImages(ctx: Context, variantIds: string[]): Promise<Stored[]> {
  return await ctx.db.execute<Stored>(sql`
    select ${variantImage.productId} as "productId", ${variantImage.variantId} as "variantId", ${variantImage.imageId} as "imageId", ${variantImage.sourceUrl} as "url"
    from ${variantImage} where ${of(ctx, variantImage)} and ${variantImage.variantId} = any(${idList(variantIds)})`);
}

async function removeImages(ctx: Context, images: Stored[]): Promise<void> {
  if (images.length === 0) return;
  await ctx.db.execute(sql`
    delete from ${variantImage} where ${of(ctx, variantImage)}
      and (${variantImage.productId}, ${variantImage.variantId}, ${variantImage.imageId}) in (
        select "productId", "variantId", "imageId"
        from json_to_recordset(${JSON.stringify(images)}::json) as gone ("productId" uuid, "variantId" uuid, "imageId" text))`);
}

async function arrangeImages(ctx: Context, images: Wanted[]): Promise<void> {
  if (images.length === 0) return;
  await ctx.db.execute(sql`
    update ${variantImage} set is_main = wanted."isMain", is_video = wanted."isVideo", "order" = wanted."order"
    from json_to_recordset(${JSON.stringify(images)}::json)
      as wanted ("variantId" uuid, "url" text, "isMain" boolean, "isVideo" boolean, "order" numeric)
    where ${of(ctx, variantImage)} and ${variantImage.variantId} = wanted."variantId" and ${variantImage.sourceUrl} = wanted."url"`);
}

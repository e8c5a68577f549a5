import { and, desc, eq, or, sql } from 'drizzle-orm';
import { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import { variantValue } from '../../../drizzle/variant-type.ts';
import type { Context } from '../../context.ts';
import { newId } from '../../db/sql/id.ts';
import { idArray } from '../../db/sql/parameter.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import type { BulkEntry } from './bulk-entry.ts';
import type { BulkImage } from './bulk-images.ts';
import type { ResolvedNames } from './resolve-names.ts';

type RequestedThumbnail = { variantTypeId: string; variantValueId: string; url: string; path: string };

/** The requested images of variant values that are neither stored from the same address nor pending. */
export async function missingThumbnails(
  ctx: Context,
  entries: BulkEntry[],
  names: ResolvedNames,
): Promise<BulkImage[]> {
  const requested = new Map(
    entries
      .flatMap((entry) => requestedThumbnails(entry, names))
      .map((thumbnail) => [thumbnail.variantValueId, thumbnail]),
  );
  if (requested.size === 0) return [];
  const urls = await latestUrls(ctx, [...requested.keys()]);
  const missing = [...requested.values()].filter(({ variantValueId, url }) => urls.get(variantValueId) !== url);
  await deletePending(ctx, missing);
  return missing.map((thumbnail) => ({
    ...thumbnail,
    id: newId(),
    productId: null,
    variantId: null,
    isMain: false,
    isVideo: null,
    order: 0,
    state: 'PENDING',
  }));
}

function requestedThumbnails({ product, path }: BulkEntry, names: ResolvedNames): RequestedThumbnail[] {
  if (product.deleted) return [];
  return product.productVariantTypes.flatMap(({ variantTypeName, variantValues }, type) =>
    variantValues.flatMap(({ name, thumbnailImageUrl: url }, value) => {
      const { id, values } = names.variantTypes.get(variantTypeName)!;
      const member = [...path, 'productVariantTypes', type, 'variantValues', value, 'thumbnailImageUrl'].join('.');
      return url == null ? [] : [{ variantTypeId: id, variantValueId: values.get(name)!, url, path: member }];
    }),
  );
}

/** The address that each value's image was fetched from, or that is pending. */
async function latestUrls(ctx: Context, valueIds: string[]): Promise<Map<string, string>> {
  const { variantValueId, id, url, state, imageId } = bulkOperationImage;
  const isUsed = or(eq(state, 'PENDING'), and(eq(state, 'DONE'), eq(imageId, variantValue.thumbnailImageId)));
  const rows = await ctx.db
    .selectDistinctOn([variantValueId], { valueId: variantValue.id, url })
    .from(bulkOperationImage)
    .innerJoin(variantValue, and(ownedBy(ctx, variantValue), eq(variantValue.id, variantValueId)))
    .where(and(ownedBy(ctx, bulkOperationImage), sql`${variantValueId} = any(${idArray(valueIds)})`, isUsed))
    .orderBy(variantValueId, desc(id));
  return new Map(rows.map(({ valueId, url }) => [valueId, url]));
}

async function deletePending(ctx: Context, thumbnails: RequestedThumbnail[]): Promise<void> {
  if (thumbnails.length === 0) return;
  const valueIds = thumbnails.map(({ variantValueId }) => variantValueId);
  await ctx.db.execute(sql`
    delete from ${bulkOperationImage}
    where ${ownedBy(ctx, bulkOperationImage)} and ${bulkOperationImage.variantValueId} = any(${idArray(valueIds)})
      and ${bulkOperationImage.state} = 'PENDING'`);
}

import { and, desc, eq, sql } from 'drizzle-orm';
import { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import { variantValue } from '../../../drizzle/variant-type.ts';
import type { Context } from '../../context.ts';
import { newId } from '../../db/sql/id.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import type { BulkEntry } from './bulk-entry.ts';
import type { BulkImage } from './bulk-images.ts';
import type { ResolvedNames } from './resolve-names.ts';

export type RequestedThumbnail = { variantTypeId: string; variantValueId: string; url: string; path: string };

/** The images of variant values that a request names. Of a value that has several entries, the last one counts. */
export function requestedThumbnails(entries: BulkEntry[], names: ResolvedNames): RequestedThumbnail[] {
  const requested = entries.flatMap((entry) => thumbnailsOf(entry, names));
  return [...new Map(requested.map((thumbnail) => [thumbnail.variantValueId, thumbnail])).values()];
}

/** The requested images that their values do not have from the same address. */
export async function missingThumbnails(ctx: Context, requested: RequestedThumbnail[]): Promise<BulkImage[]> {
  if (requested.length === 0) return [];
  const valueIds = requested.map(({ variantValueId }) => variantValueId);
  const urls = await fetchedUrls(ctx, valueIds);
  const missing = requested.filter(({ variantValueId, url }) => urls.get(variantValueId) !== url);
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

function thumbnailsOf({ product, path }: BulkEntry, names: ResolvedNames): RequestedThumbnail[] {
  if (product.deleted) return [];
  return (product.productVariantTypes ?? []).flatMap(({ variantTypeName, variantValues }, type) =>
    variantValues.flatMap(({ name, thumbnailImageUrl: url }, value) => {
      const { id, values } = names.variantTypes.get(variantTypeName!)!;
      const member = [...path, 'productVariantTypes', type, 'variantValues', value, 'thumbnailImageUrl'].join('.');
      return url == null ? [] : [{ variantTypeId: id, variantValueId: values.get(name)!, url, path: member }];
    }),
  );
}

/** The address that each value's image was fetched from. */
async function fetchedUrls(ctx: Context, valueIds: string[]): Promise<Map<string, string>> {
  const { variantValueId, id, url, state, imageId } = bulkOperationImage;
  const isUsed = and(eq(state, 'DONE'), eq(imageId, variantValue.thumbnailImageId));
  const rows = await ctx.db
    .selectDistinctOn([variantValueId], { valueId: variantValue.id, url })
    .from(bulkOperationImage)
    .innerJoin(variantValue, and(ownedBy(ctx, variantValue), eq(variantValue.id, variantValueId)))
    .where(and(ownedBy(ctx, bulkOperationImage), sql`${variantValueId} = any(${idArray(valueIds)})`, isUsed))
    .orderBy(variantValueId, desc(id));
  return new Map(rows.map(({ valueId, url }) => [valueId, url]));
}

import { sql } from 'drizzle-orm';
import { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import { variantValue } from '../../../drizzle/variant-type.ts';
import type { Context } from '../../context.ts';
import { newId } from '../../db/sql/id.ts';
import { idArray } from '../../db/sql/parameter.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import type { MissingImage } from './bulk-images.ts';
import type { BulkEntry } from '../bulkUpdateProducts.ts';
import type { ResolvedNames } from './resolve-names.ts';

type Wanted = { variantTypeId: string; variantValueId: string; url: string; path: string };

/** The small pictures of variant values that are neither there from the same address nor on their way. */
export async function missingThumbnails(
  ctx: Context,
  entries: BulkEntry[],
  parts: ResolvedNames,
): Promise<MissingImage[]> {
  const wanted = new Map(
    entries
      .flatMap((entry) => wantedThumbnails(entry, parts))
      .map((thumbnail) => [thumbnail.variantValueId, thumbnail]),
  );
  if (wanted.size === 0) return [];
  const known = await latestUrls(ctx, [...wanted.keys()]);
  const missing = [...wanted.values()].filter(({ variantValueId, url }) => known.get(variantValueId) !== url);
  await forgetPending(ctx, missing);
  return missing.map((thumbnail) => ({
    productId: null,
    variantId: null,
    url: thumbnail.url,
    isMain: false,
    isVideo: null,
    order: 0,
    path: thumbnail.path,
    id: newId(),
    variantTypeId: thumbnail.variantTypeId,
    variantValueId: thumbnail.variantValueId,
  }));
}

function wantedThumbnails({ product, path }: BulkEntry, parts: ResolvedNames): Wanted[] {
  return product.productVariantTypes.flatMap(({ variantTypeName, variantValues }, type) =>
    variantValues.flatMap(({ name, thumbnailImageUrl: url }, value) => {
      const { id, values } = parts.variantTypes.get(variantTypeName)!;
      const place = [...path, 'productVariantTypes', type, 'variantValues', value, 'thumbnailImageUrl'].join('.');
      return url == null ? [] : [{ variantTypeId: id, variantValueId: values.get(name)!, url, path: place }];
    }),
  );
}

/** Where each value's picture was last fetched from, or is going to be. */
async function latestUrls(ctx: Context, valueIds: string[]): Promise<Map<string, string>> {
  const rows = await ctx.db.execute<{ valueId: string; url: string }>(sql`
    select distinct on (${bulkOperationImage.variantValueId}) ${bulkOperationImage.variantValueId} as "valueId", ${bulkOperationImage.url} as "url"
    from ${bulkOperationImage} join ${variantValue} on ${ownedBy(ctx, variantValue)} and ${variantValue.id} = ${bulkOperationImage.variantValueId}
    where ${ownedBy(ctx, bulkOperationImage)} and ${bulkOperationImage.variantValueId} = any(${idArray(valueIds)})
      and (${bulkOperationImage.state} = 'PENDING' or ${bulkOperationImage.state} = 'DONE' and ${variantValue.thumbnailImageId} is not null)
    order by ${bulkOperationImage.variantValueId}, ${bulkOperationImage.id} desc`);
  return new Map(rows.map(({ valueId, url }) => [valueId, url]));
}

async function forgetPending(ctx: Context, thumbnails: Wanted[]): Promise<void> {
  if (thumbnails.length === 0) return;
  await ctx.db.execute(sql`
    delete from ${bulkOperationImage} where ${ownedBy(ctx, bulkOperationImage)}
      and ${bulkOperationImage.variantValueId} = any(${idArray(thumbnails.map(({ variantValueId }) => variantValueId))}) and ${bulkOperationImage.state} = 'PENDING'`);
}

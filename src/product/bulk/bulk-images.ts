import { type SQL, sql } from 'drizzle-orm';
import { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import type { Context } from '../../context.ts';
import { newId } from '../../db/sql/id.ts';
import type { InsertedRow } from '../../db/write/write.ts';
import { idArray } from '../../db/sql/parameter.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { addressOf, withoutHost } from '../stored/image-address.ts';
import type { BulkEntry } from './bulk-entry.ts';

type RequestedImage = {
  productId: string;
  variantId: string;
  url: string;
  isMain: boolean;
  isVideo: boolean | null;
  order: number;
  path: string;
};

/** An image that a request names, of a variant or a variant value. */
export type BulkImage = Omit<InsertedRow<typeof bulkOperationImage>, 'bulkOperationId'>;

/**
 * The requested images of the variants that do not have all of them from the same addresses. The worker needs the whole
 * list of such a variant: the place and the main image follow from it. Images that an earlier request asked for and
 * nobody fetched yet are no longer wanted and are deleted here.
 */
export async function imagesToRecord(ctx: Context, entries: BulkEntry[]): Promise<BulkImage[]> {
  const variants = entries.flatMap(({ variants }) =>
    variants.flatMap(({ images, write }) => (images ? [write.row] : [])),
  );
  if (variants.length === 0) return [];
  const stored = new Set(
    variants.flatMap(({ id, images }) =>
      (images ?? []).map((image) =>
        key(ctx.merchantId, { variantId: id, url: addressOf(ctx.merchantId, image) ?? '' }),
      ),
    ),
  );
  const variantIds = variants.map(({ id }) => id);
  await ctx.db.execute(deleteEarlier(ctx, variantIds));
  const isStored = (image: RequestedImage): boolean => stored.has(key(ctx.merchantId, image));
  const lists = entries.flatMap(requestedLists).filter((images) => !images.every(isStored));
  return lists.flat().map((image) => ({
    ...image,
    id: newId(),
    variantTypeId: null,
    variantValueId: null,
    state: isStored(image) ? 'STORED' : 'PENDING',
  }));
}

/** The requested images of each variant. */
function requestedLists({ write: { row: product }, variants }: BulkEntry): RequestedImage[][] {
  return variants.map(({ images = [], path, write }) =>
    images.map(({ imageUrl, isMain, isVideo, order, place }) => ({
      productId: product.id,
      variantId: write.row.id,
      url: imageUrl,
      isMain,
      isVideo: isVideo ?? null,
      order,
      path: [...path, 'images', place, 'imageUrl'].join('.'),
    })),
  );
}

function key(merchantId: string, { variantId, url }: { variantId: string; url: string }): string {
  return `${variantId} ${withoutHost(merchantId, url)}`;
}

function deleteEarlier(ctx: Context, variantIds: readonly string[]): SQL {
  return sql`
    delete from ${bulkOperationImage} where ${ownedBy(ctx, bulkOperationImage)}
      and ${bulkOperationImage.variantId} = any(${idArray(variantIds)})
      and ${bulkOperationImage.state} in ('PENDING', 'STORED')`;
}

import type { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import { newId } from '../../db/sql/id.ts';
import type { Tenant } from '../../db/sql/parameter.ts';
import type { InsertedRow } from '../../db/write/write.ts';
import { addressOf, withoutHost } from '../stored/image-address.ts';
import type { VariantWrite } from '../stored/write-product-rows.ts';
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
 * list of such a variant: the place and the main image follow from it.
 */
export function imagesToRecord(ctx: Tenant, entries: BulkEntry[]): BulkImage[] {
  const stored = new Set(
    variantsWithImages(entries).flatMap(({ id, images }) =>
      (images ?? []).map((image) =>
        key(ctx.merchantId, { variantId: id, url: addressOf(ctx.merchantId, image) ?? '' }),
      ),
    ),
  );
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

/** The variants whose images a request names. */
export function variantsWithImages(entries: BulkEntry[]): VariantWrite['row'][] {
  return entries.flatMap(({ variants }) => variants.flatMap(({ images, write }) => (images ? [write.row] : [])));
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

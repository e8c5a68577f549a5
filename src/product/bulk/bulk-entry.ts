import type { StoredImage } from '../../../drizzle/product-values.ts';
import { argumentInvalid, type InputPath } from '../../errors.ts';
import type { PageMetadataTarget } from '../../page-metadata/save-page-metadata.ts';
import { type MergedProduct, mergeProduct } from '../save/merge-product.ts';
import type { ProductInput } from '../save/product-input.ts';
import { storedList } from '../save/stored-list.ts';
import type { StoredProduct } from '../save/stored-products.ts';
import { sortedImages, withMainImage } from '../save/variant-images.ts';
import type { VariantWrite } from '../save/write-products.ts';
import type { BulkProductInput, BulkVariantInput } from './bulk-products-input.ts';
import type { ResolvedNames } from './resolve-names.ts';
import { resolveProduct } from './resolve-product.ts';

/** One product of the request: as it was sent, as saveProduct would take it, and as it will be written. */
export type BulkEntry = {
  product: BulkProductInput;
  path: InputPath;
  stored: StoredProduct | undefined;
  input: ProductInput;
  write: MergedProduct;
};

/** A list of one entry; an empty one for a product that is to be deleted and does not exist. */
export function bulkEntry(
  product: BulkProductInput,
  path: InputPath,
  stored: StoredProduct | undefined,
  names: ResolvedNames,
): BulkEntry[] {
  if (product.deleted && !stored) return [];
  const input = resolveProduct(product, stored, names);
  refuseRepeatedVariant(input, path);
  const write = mergeProduct(input, stored, path);
  if (product.sourceId !== undefined) write.row.sourceId = product.sourceId;
  product.variants.forEach(({ sourceId, images }, index) => {
    setSourceId(write.sentVariants[index]!, sourceId);
    if (images !== undefined) setImages(write.sentVariants[index]!, images ?? []);
  });
  return [{ product, path, stored, input, write }];
}

function refuseRepeatedVariant({ variants }: ProductInput, path: InputPath): void {
  const seen = new Set<string>();
  for (const [index, { id }] of variants.entries()) {
    if (id !== undefined && seen.has(id))
      throw argumentInvalid([
        { path: [...path, 'variants', index], message: 'must not be a variant that another entry names too' },
      ]);
    if (id !== undefined) seen.add(id);
  }
}

function setSourceId(variant: VariantWrite, sourceId: string | null | undefined): void {
  if (sourceId !== undefined) variant.row = { ...variant.row, sourceId };
}

function setImages(variant: VariantWrite, requested: NonNullable<BulkVariantInput['images']>): void {
  const images = storedList(withBulkImages(variant.row.images ?? [], requested), (image) => image) ?? null;
  variant.row = { ...variant.row, images };
}

/** The stored images whose addresses the request names, with the settings of the request. Other images are removed. */
function withBulkImages(
  stored: readonly StoredImage[],
  requested: NonNullable<BulkVariantInput['images']>,
): StoredImage[] {
  const byUrl = new Map(requested.map((image) => [image.imageUrl, image]));
  const images = stored.flatMap((image) => {
    const request = image.sourceUrl === null ? undefined : byUrl.get(image.sourceUrl);
    return request
      ? [{ ...image, isMain: request.isMain, isVideo: request.isVideo ?? null, order: request.order }]
      : [];
  });
  return withMainImage(sortedImages(images));
}

export function pageMetadataOf({ product: { metaData }, stored, write }: BulkEntry): PageMetadataTarget {
  const target = { targetId: write.row.id, name: write.row.name, isNew: !stored };
  if (!metaData) return { ...target, metaData };
  const { slug, ...members } = metaData;
  return { ...target, metaData: { ...members, slug: slug ?? undefined } };
}

import type { StoredImage } from '../../../drizzle/product-values.ts';
import type { InputPath } from '../../errors.ts';
import type { PageMetadataTarget } from '../../page-metadata/save-page-metadata.ts';
import { withStoredCategories } from '../checks/automated-categories.ts';
import { mergeProduct } from '../merge/merge-product.ts';
import { refuseRepeatedOptions } from '../merge/merge-variants.ts';
import type { ProductInput } from '../input/product-input.ts';
import { withStorablePrices } from '../merge/storable-prices.ts';
import { storedList } from '../merge/stored-members.ts';
import type { StoredProduct } from '../stored/stored-products.ts';
import { sortedImages, withMainImage } from '../merge/variant-images.ts';
import type { ProductWrite, VariantWrite } from '../stored/write-product-rows.ts';
import { addressOf, withoutHost } from '../stored/image-address.ts';
import type { BulkProductInput, BulkVariantInput } from './bulk-products-input.ts';
import { matchVariants } from './match-variants.ts';
import { type Resolution, resolveProduct } from './resolve-product.ts';
import { withUsedValues } from './used-values.ts';

/** One product of the request: as it was sent, as saveProduct would take it, and as it will be written. */
export type BulkEntry = {
  product: BulkProductInput;
  path: InputPath;
  stored: StoredProduct | undefined;
  input: ProductInput;
  write: ProductWrite;
  /** The variants of the request that are to be saved, not deleted. */
  variants: BulkVariant[];
};

type SentImage = NonNullable<BulkVariantInput['images']>[number];

/** `place`: its index in the list of the request. */
type PlacedImage = SentImage & { readonly place: number };

/** `images`: the requested images; undefined if the stored ones stay. */
export type BulkVariant = {
  sent: BulkVariantInput;
  path: InputPath;
  write: VariantWrite;
  images: PlacedImage[] | undefined;
};

/** Returns a list with one entry. The list is empty if the product is to be deleted but does not exist. */
export function bulkEntry(
  product: BulkProductInput,
  path: InputPath,
  stored: StoredProduct | undefined,
  resolution: Resolution,
): BulkEntry[] {
  if (product.deleted) return stored ? [deletion(product, path, stored)] : [];
  const matched = matchVariants(product, stored, resolution.names, path);
  const input = resolveProduct(product, stored, matched, resolution);
  const saved = withStorablePrices(input, stored, resolution.storablePrices);
  const write = mergeProduct(withStoredCategories(saved, stored, resolution.automated), stored, 'kept', path);
  refuseRepeatedOptions(write, [...path, 'variants'], 'variantValues');
  write.row.productVariantTypes = withUsedValues(write, stored?.row.productVariantTypes ?? []);
  const variants = product.variants.flatMap((sent, index) => {
    const variant = write.sentVariants[index];
    if (!variant || sent.deleted) return [];
    const images = sent.images === undefined ? undefined : distinctImages(resolution.merchantId, sent.images ?? []);
    return [{ sent, path: [...path, 'variants', index], write: variant, images }];
  });
  for (const { images, write } of variants) {
    if (images) setImages(resolution.merchantId, write, images);
  }
  return [{ product, path, stored, input, write, variants }];
}

/**
 * The entry for a product that is only to be deleted. The stored variants, types and categories stay, although the
 * entry may have empty lists for them.
 */
function deletion(product: BulkProductInput, path: InputPath, stored: StoredProduct): BulkEntry {
  const { row } = stored;
  const input: ProductInput = { id: row.id, name: row.name, type: row.type, variants: [] };
  const write = { stored: row, row: { ...row, deleted: true }, variants: [] };
  return { product, path, stored, input, write, variants: [] };
}

/** The images with each address once, with the settings of the main image, or else of the first one in order. */
function distinctImages(merchantId: string, images: readonly SentImage[]): PlacedImage[] {
  const byAddress = new Map<string, PlacedImage>();
  images.forEach((image, place) => {
    const address = withoutHost(merchantId, image.imageUrl);
    const known = byAddress.get(address);
    if (!known || hasPrecedence(image, known)) byAddress.set(address, { ...image, place });
  });
  return [...byAddress.values()];
}

function hasPrecedence(later: SentImage, earlier: SentImage): boolean {
  return later.isMain === earlier.isMain ? later.order < earlier.order : later.isMain;
}

function setImages(merchantId: string, variant: VariantWrite, requested: readonly PlacedImage[]): void {
  const images = storedList(withBulkImages(merchantId, variant.row.images ?? [], requested), (image) => image);
  variant.row = { ...variant.row, images };
}

/**
 * The stored images whose addresses (or paths in this service) the request names, with the settings of the request.
 * Images with one `order` are in the order of the request. Other images are removed.
 */
function withBulkImages(
  merchantId: string,
  stored: readonly StoredImage[],
  requested: readonly PlacedImage[],
): StoredImage[] {
  const byUrl = new Map(requested.map((image) => [withoutHost(merchantId, image.imageUrl), image]));
  const images = stored.flatMap((image) => {
    const request = byUrl.get(addressOf(merchantId, image) ?? '');
    if (!request) return [];
    const { isMain, isVideo = null, order, place } = request;
    return [{ place, image: { ...image, isMain, isVideo, order } }];
  });
  const inPlace = images.toSorted((a, b) => a.place - b.place).map(({ image }) => image);
  return withMainImage(sortedImages(inPlace));
}

export function pageMetadataOf({ product, path, stored, write }: BulkEntry): PageMetadataTarget {
  const { metaData, deleted } = product;
  const target = { targetId: write.row.id, name: write.row.name, isNew: !stored, path: [...path, 'metaData'] };
  if (deleted) return target;
  if (!metaData) return { ...target, metaData };
  const { slug, ...members } = metaData;
  return { ...target, metaData: { ...members, slug: slug ?? undefined } };
}

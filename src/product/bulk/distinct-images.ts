import { withoutHost } from '../stored/image-address.ts';
import type { BulkVariantInput } from './bulk-products-input.ts';

type SentImage = NonNullable<BulkVariantInput['images']>[number];

/** `place`: its index in the list of the request. */
export type PlacedImage = SentImage & { readonly place: number };

/** The images with each address once, with the settings of the main image, or else of the first one in order. */
export function distinctImages(merchantId: string, images: readonly SentImage[]): PlacedImage[] {
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

import { withoutHost } from '../../product/save/image-address.ts';
import type { PortableVariant } from '../stored/portable-variant.ts';
import type { ImageLine } from '../line/product-line-input.ts';

type Images = readonly ImageLine[];

/**
 * True if the pictures are stored or requested already, and no other picture of the variant was fetched from an
 * address. Failed pictures are requested again with `retryImages`.
 */
export function hasImages(
  merchantId: string,
  { images, requestedImages }: PortableVariant,
  sent: Images,
  retryImages: boolean,
): boolean {
  const wanted = sent.map((image) => ({ ...image, imageUrl: withoutHost(merchantId, image.imageUrl) }));
  const coming = requestedImages.filter(({ state }) => state === 'PENDING');
  const known = new Set([...images, ...(retryImages ? coming : requestedImages)].map(imageKey));
  const urls = new Set(wanted.map(({ imageUrl }) => imageUrl));
  return (
    wanted.every(({ imageUrl, ...image }) => known.has(imageKey({ url: imageUrl, ...image }))) &&
    [...images, ...coming].every(({ url }) => isUploaded(url) || urls.has(url)) &&
    hasMain(images, coming, wanted)
  );
}

/**
 * While the wanted main picture is missing, the service makes another one the main picture. An uploaded picture that
 * the file does not have stays.
 */
function hasMain(images: PortableVariant['images'], coming: PortableVariant['images'], wanted: Images): boolean {
  const main = wanted.find(({ isMain }) => isMain)?.imageUrl;
  const isRight = ({ url, isMain }: PortableVariant['images'][number]): boolean => !isMain || url === main;
  return coming.every(isRight) && (images.every(isRight) || images.every(({ url }) => url !== main));
}

/** Uploaded pictures have a path in this service instead of an address. */
function isUploaded(url: string): boolean {
  return url.startsWith('/');
}

function imageKey({ url, isVideo, order }: { url: string; isVideo?: boolean | null; order: number }): string {
  return JSON.stringify([url, isVideo ?? false, order]);
}

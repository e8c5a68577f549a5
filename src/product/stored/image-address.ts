import { isId } from '../../db/sql/id.ts';

/**
 * The widest rendition. An export contains its address for a picture that was uploaded and so has no address of its
 * own.
 */
const FILE = 'image_3840.webp';
const ADDRESS = /^(?:https?:\/\/[^/]+)?\/images\/([^/]+)\/([^/]+)\/image_\d{3,4}\.webp$/;

/** The public path of a picture in this service. */
export function imagePath(merchantId: string, imageId: string): string {
  return `/images/${merchantId}/${imageId}/${FILE}`;
}

/** The address without its host, if it is a picture of the merchant in this service. */
export function withoutHost(merchantId: string, url: string): string {
  const imageId = ownImageId(merchantId, url);
  return imageId === null ? url : imagePath(merchantId, imageId);
}

/** The id of the merchant's picture at the address, on whatever host; null for any other address. */
function ownImageId(merchantId: string, url: string): string | null {
  const [, owner, imageId] = ADDRESS.exec(url) ?? [];
  return owner === merchantId && imageId !== undefined && isId(imageId) ? imageId : null;
}

/**
 * What names the picture of a variant: the address it was fetched from, or its path in this service. Null for an id
 * that is not of this service: ids of pictures are stored as sent. Plain SQL may have stored a picture without
 * `sourceUrl`.
 */
export function addressOf(
  merchantId: string,
  { imageId, sourceUrl }: { imageId: string; sourceUrl?: string | null },
): string | null {
  if (sourceUrl != null) return withoutHost(merchantId, sourceUrl);
  return isId(imageId) ? imagePath(merchantId, imageId) : null;
}

const KEY = /^[0-9a-z][0-9a-z_-]*(\/[0-9a-z][0-9a-z_-]*)*(\.[0-9a-z]+)?$/;
const PREFIX = /^([0-9a-z][0-9a-z_-]*\/)*$/;

export function originalKey(merchantId: string, imageId: string): string {
  return `${merchantId}/${imageId}/original`;
}

export function renditionKey(merchantId: string, imageId: string, width: number): string {
  return `${merchantId}/${imageId}/image_${width}.webp`;
}

/** Keys consist of ids and fixed words. User text in a key is a bug. */
export function checkKey(key: string): string {
  if (!KEY.test(key)) {
    throw new Error('Not a storage key');
  }
  return key;
}

/** Empty, or whole segments (`merchant/`, not `mercha`), so that a folder and a bucket list the same objects. */
export function checkPrefix(prefix: string): string {
  if (!PREFIX.test(prefix)) {
    throw new Error('Not a storage prefix');
  }
  return prefix;
}

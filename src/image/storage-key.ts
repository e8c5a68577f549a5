const KEY = /^[0-9a-z][0-9a-z_-]*(\/[0-9a-z][0-9a-z_-]*)*(\.[0-9a-z]+)?$/;
const PREFIX = /^([0-9a-z][0-9a-z_-]*\/)*$/;

export function originalKey(merchantId: string, imageId: string): string {
  return `${merchantId}/${imageId}/original`;
}

export function renditionKey(merchantId: string, imageId: string, width: number): string {
  return `${merchantId}/${imageId}/image_${width}.webp`;
}

/** Keys are made of ids and words of ours. Text of a user in one is a mistake in this program. */
export function checkKey(key: string): string {
  if (!KEY.test(key)) {
    throw new Error('Not a storage key');
  }
  return key;
}

/** Empty, or whole segments: `merchant/` but not `mercha`, so that a folder and a bucket agree. */
export function checkPrefix(prefix: string): string {
  if (!PREFIX.test(prefix)) {
    throw new Error('Not a storage prefix');
  }
  return prefix;
}

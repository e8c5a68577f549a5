import { invalidAt, type Issue } from '../errors.ts';
import type { Decoder } from './decoder.ts';
import type { Original } from './decoding/pixels.ts';
import { imageFormat } from './decoding/image-format.ts';

/** Size of the uploaded file: 20 MB. */
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

type Owner = { readonly merchantId: string; readonly decoder: Decoder };

/** Re-encodes a picture from its pixels. `path` is the input member that errors name. */
export async function decodeImage(
  { merchantId, decoder }: Owner,
  bytes: Buffer,
  path: Issue['path'],
): Promise<Original> {
  if (bytes.length > MAX_IMAGE_BYTES) {
    throw invalidAt(path, 'must be at most 20 MB');
  }
  const format = imageFormat(bytes);
  if (format === null) {
    throw invalidAt(path, 'must be a JPEG, PNG, WebP, GIF or AVIF picture');
  }
  const decoded = await decoder.original(merchantId, { kind: 'original', bytes, format });
  if ('problem' in decoded) {
    throw invalidAt(path, decoded.problem);
  }
  return decoded.result;
}

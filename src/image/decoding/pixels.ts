import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import { countJpegScans } from './jpeg-scans.ts';
import type { ImageFormat } from './image-format.ts';
import { MAX_PIXELS, MAX_SIDE } from './decode-limits.ts';

// Cameras and optimisers write a dozen scans. Hundreds, possible in a few kilobytes, take seconds.
const MAX_JPEG_SCANS = 64;
const MAX_WEBP_SIDE = 16_383;
// WebP at full quality takes a second per ten megapixels, and 500 MB for forty.
const MAX_WEBP_ORIGINAL_PIXELS = 10_000_000;
const ORIGINAL_QUALITY = 90;
const RENDITION_QUALITY = 80;

/** As stored: upright, sRGB, one frame, without metadata. */
export type Original = {
  readonly bytes: Uint8Array;
  readonly contentType: 'image/jpeg' | 'image/png' | 'image/webp';
  readonly width: number;
  readonly height: number;
};

/** The picture is invalid. The message is for the client. */
export class ImageProblem extends Error {}

/** Limits libvips to the five accepted formats, one thread per picture and no cache. */
export function limitLibvips(): void {
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  const decoders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'];
  sharp.unblock({ operation: decoders.map((name) => `VipsForeignLoad${name}Buffer`) });
}

export async function toOriginal(bytes: Buffer, format: ImageFormat, header: Metadata): Promise<Original> {
  const picture = open(bytes).autoOrient();
  const { data, info } = await encodeOriginal(picture, format, header)
    .toBuffer({ resolveWithObject: true })
    .catch(refuse);
  return { bytes: data, contentType: `image/${info.format as 'jpeg'}`, width: info.width, height: info.height };
}

/** A WebP of at most `width`, never larger than the original. */
export function toWebp(bytes: Uint8Array, width: number): Promise<Uint8Array> {
  return open(bytes)
    .resize({ width, height: MAX_WEBP_SIDE, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: RENDITION_QUALITY })
    .toBuffer()
    .catch(refuse);
}

/** Reads the header first: it tells the cost of the pixels. */
export async function readHeader(bytes: Buffer, format: ImageFormat): Promise<Metadata> {
  const header = await open(bytes, { limitInputPixels: false }).metadata().catch(refuse);
  if (header.width * header.height > MAX_PIXELS) {
    throw new ImageProblem(`has ${header.width} × ${header.height} pixels; at most 40 megapixels are allowed`);
  }
  if (Math.max(header.width, header.height) > MAX_SIDE) {
    throw new ImageProblem(
      `has ${header.width} × ${header.height} pixels; a side of at most ${MAX_SIDE.toLocaleString('en-US')} is allowed`,
    );
  }
  if (header.mediaType !== `image/${format}`) refuse();
  if (format === 'jpeg' && countJpegScans(bytes) > MAX_JPEG_SCANS)
    throw new ImageProblem(`has more than ${MAX_JPEG_SCANS} scans`);
  return header;
}

// `failOn: 'error'` refuses truncated and damaged files, and accepts the metadata mistakes of cameras.
function open(bytes: Uint8Array, options: SharpOptions = {}): Sharp {
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true, ...options });
}

// Lossless formats stay lossless. Lossy ones become JPEG, which is the fastest to encode and to make renditions from
// (WebP takes forty times as long), unless they have transparency.
function encodeOriginal(picture: Sharp, format: ImageFormat, { width, height, hasAlpha }: Metadata): Sharp {
  if (format !== 'png' && format !== 'gif' && !hasAlpha) {
    // `optimiseCoding` holds all coefficients in memory: 500 MB for 40 megapixels.
    return picture.jpeg({ quality: ORIGINAL_QUALITY, chromaSubsampling: '4:4:4', optimiseCoding: false });
  }
  const fitsWebp = Math.max(width, height) <= MAX_WEBP_SIDE && width * height <= MAX_WEBP_ORIGINAL_PIXELS;
  if (format !== 'png' && format !== 'gif' && fitsWebp) {
    return picture.webp({ quality: ORIGINAL_QUALITY, effort: 2 });
  }
  return picture.png({ compressionLevel: 6 });
}

/** Drops the message of the library, which can quote the picture's content. */
export function refuse(): never {
  throw new ImageProblem('is damaged or not a picture that can be read');
}

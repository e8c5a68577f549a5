import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import { countJpegScans } from './jpeg-scans.ts';
import type { ImageFormat } from '../signature.ts';
import { MAX_PIXELS, MAX_SIDE } from './decode-limits.ts';

// Cameras and optimisers write a dozen; hundreds take seconds in a file of a few kilobytes.
const JPEG_MAX_SCANS = 64;
const WEBP_MAX_SIDE = 16_383;
// Encoding WebP at full quality takes a second for ten megapixels, and half a gigabyte for forty.
const WEBP_ORIGINAL_MAX_PIXELS = 10_000_000;
const ORIGINAL_QUALITY = 90;
const RENDITION_QUALITY = 80;

/** As stored: upright, sRGB, one frame, nothing but pixels. */
export type Original = {
  readonly bytes: Uint8Array;
  readonly contentType: 'image/jpeg' | 'image/png' | 'image/webp';
  readonly width: number;
  readonly height: number;
};

/** A picture at fault; the message is for whoever sent it. */
export class ImageProblem extends Error {}

/** Leaves libvips only the five decoders we take pictures for, one thread each and no cache. */
export function limitLibrary(): void {
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

/** WebP no wider than `width` and no larger than the original. */
export function toWebp(bytes: Uint8Array, width: number): Promise<Uint8Array> {
  return open(bytes)
    .resize({ width, height: WEBP_MAX_SIDE, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: RENDITION_QUALITY })
    .toBuffer()
    .catch(refuse);
}

/** The header says what the pixels would cost, so it is read before any of them. */
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
  if (header.mediaType !== `image/${format}` || (format === 'jpeg' && countJpegScans(bytes) > JPEG_MAX_SCANS)) {
    refuse();
  }
  return header;
}

// `failOn: 'error'` refuses what is cut short or damaged, and lets pass what cameras get wrong in metadata.
function open(bytes: Uint8Array, options: SharpOptions = {}): Sharp {
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true, ...options });
}

// Lossless stays lossless. What was lossy becomes JPEG, the quickest to write and to make renditions
// of (WebP takes forty times as long), unless it has transparency.
function encodeOriginal(picture: Sharp, format: ImageFormat, { width, height, hasAlpha }: Metadata): Sharp {
  if (format !== 'png' && format !== 'gif' && !hasAlpha) {
    // Optimising the coding would hold all coefficients in memory: half a gigabyte for 40 megapixels.
    return picture.jpeg({ quality: ORIGINAL_QUALITY, chromaSubsampling: '4:4:4', optimiseCoding: false });
  }
  const fitsWebp = Math.max(width, height) <= WEBP_MAX_SIDE && width * height <= WEBP_ORIGINAL_MAX_PIXELS;
  if (format !== 'png' && format !== 'gif' && fitsWebp) {
    return picture.webp({ quality: ORIGINAL_QUALITY, effort: 2 });
  }
  return picture.png({ compressionLevel: 6 });
}

/** The library's own words can quote the picture, so they go no further. */
export function refuse(): never {
  throw new ImageProblem('is damaged or not a picture that can be read');
}

import type { ImageFormat } from './image-format.ts';
import { jpegSize } from './jpeg-scans.ts';

/**
 * Pixels of pictures that are decoded in short time: at most 0.4 s on one core of a server of 2024, and 40 megapixels
 * take up to 5 s.
 */
const MAX_SHORT_PIXELS = 2_000_000;
/** A JPEG takes at most a third of the time of a WebP. */
const JPEG_PART = 1 / 3;
/** Encoding a pixel as WebP takes four to fifteen times as long as decoding one of the original. */
const ORIGINAL_PART = 1 / 8;
/** AVIF has its sizes in the first box after the brands. */
const MAX_AVIF_HEADER_BYTES = 64 * 1024;

export type Size = { readonly width: number; readonly height: number };

/**
 * Whether decoding will take little time, by what the header announces. Only the order of pictures depends on it: the
 * decoder process reads the header again, and limits what a picture may take.
 */
export function isShortOriginal(bytes: Buffer, format: ImageFormat): boolean {
  const sizes = announcedSizes(bytes, format);
  const pixels = Math.max(...sizes.map(({ width, height }) => width * height));
  return sizes.length > 0 && pixels * (format === 'jpeg' ? JPEG_PART : 1) <= MAX_SHORT_PIXELS;
}

export function isShortRendition({ width, height }: Size, renditionWidth: number): boolean {
  const scale = Math.min(1, renditionWidth / width);
  return width * height * (ORIGINAL_PART + scale ** 2) <= MAX_SHORT_PIXELS;
}

/** Empty if no size is found. */
function announcedSizes(bytes: Buffer, format: ImageFormat): Size[] {
  try {
    return readSizes[format](bytes);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** Reading past the end throws a RangeError. */
const readSizes: Readonly<Record<ImageFormat, (bytes: Buffer) => Size[]>> = {
  jpeg: (bytes) => jpegSize(bytes),
  png: (bytes) => [{ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }],
  gif: (bytes) => [{ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }],
  webp: webpSizes,
  avif: avifSizes,
};

function webpSizes(bytes: Buffer): Size[] {
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') return [{ width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }];
  if (kind === 'VP8 ') return [{ width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }];
  if (kind !== 'VP8L') return [];
  const sides = bytes.readUInt32LE(21);
  return [{ width: (sides & 0x3fff) + 1, height: ((sides >>> 14) & 0x3fff) + 1 }];
}

/** A picture that consists of tiles has their sizes and its own. */
function avifSizes(bytes: Buffer): Size[] {
  const sizes: Size[] = [];
  const header = bytes.subarray(0, MAX_AVIF_HEADER_BYTES);
  for (let at = header.indexOf('ispe'); at >= 0; at = header.indexOf('ispe', at + 4))
    sizes.push({ width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) });
  return sizes;
}

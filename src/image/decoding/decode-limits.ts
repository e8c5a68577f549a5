import type { ImageFormat } from './image-format.ts';

export const MAX_PIXELS = 40_000_000;
/**
 * Limit of width and height. Measured with PNGs of 40 megapixels: a single row takes up to 4.5 GB, a single column 39 s
 * of CPU time. With sides of at most 30,000 every shape stays below 1.1 s and 430 MiB.
 */
export const MAX_SIDE = 30_000;

const MIB = 1024 * 1024;
const PIXELS_PER_MEGAPIXEL = 1_000_000;
/** The base: reading the header, and the memory of a process that has decoded pictures before. */
const BASE_LIMITS = { cpuMs: 2_000, mib: 300 };
/**
 * Two to four times the cost of the most expensive pictures of 40 megapixels on one core of a server of 2024: JPEG 2.5
 * s (CMYK) and 346 MiB (progressive, without subsampling), PNG 3.9 s and 421 MiB (16 bits, interlaced), GIF 1.6 s and
 * 293 MiB, WebP 5.2 s (noise with transparency) and 411 MiB, AVIF 5.3 s and 842 MiB.
 */
const PER_MEGAPIXEL: Readonly<Record<ImageFormat, { cpuMs: number; mib: number }>> = {
  jpeg: { cpuMs: 200, mib: 10 },
  png: { cpuMs: 200, mib: 10 },
  gif: { cpuMs: 200, mib: 10 },
  webp: { cpuMs: 300, mib: 12 },
  avif: { cpuMs: 300, mib: 25 },
};

/** CPU time of the task, and resident memory of its process. */
export type DecodeLimits = { readonly cpuMs: number; readonly residentBytes: number };

/** CPU time instead of wall-clock time, so that a busy machine does not refuse ordinary pictures. */
export function decodeLimits(format: ImageFormat, pixels: number): DecodeLimits {
  const { cpuMs, mib } = PER_MEGAPIXEL[format];
  const megapixels = pixels / PIXELS_PER_MEGAPIXEL;
  return { cpuMs: BASE_LIMITS.cpuMs + cpuMs * megapixels, residentBytes: (BASE_LIMITS.mib + mib * megapixels) * MIB };
}

import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Measured on GraphiQL, 9.1 MB: quality 6 makes 1.9 MB in 0.3 s; quality 9 takes five times as long and saves 3 %. */
const BROTLI_QUALITY = 6;
const BROTLI_WINDOW_BITS = 24;

export const contentCodings = ['br', 'gzip'] as const;
export type ContentCoding = (typeof contentCodings)[number];

export function compress(bytes: Buffer, coding: ContentCoding): Uint8Array<ArrayBuffer> {
  if (coding === 'gzip') return new Uint8Array(gzipSync(bytes));
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = {
    [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
    [BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return new Uint8Array(brotliCompressSync(bytes, { params }));
}

import type { Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { isShortOriginal, isShortRendition } from '../../../src/image/decoding/decode-cost.ts';
import { imageFormat } from '../../../src/image/decoding/image-format.ts';
import * as make from '../pictures.ts';

const SMALL: [number, number] = [1_400, 1_400];
const LARGE: [number, number] = [6_400, 1_000];

const ENCODERS: Record<string, (source: Sharp) => Sharp> = {
  jpeg: (source) => source.jpeg(),
  'progressive jpeg': (source) => source.jpeg({ progressive: true }),
  'jpeg with metadata': (source) => source.withExif({ IFD0: { Copyright: 'x'.repeat(1_000) } }).jpeg(),
  png: (source) => source.png(),
  gif: (source) => source.gif({ effort: 1 }),
  'lossy webp': (source) => source.webp({ effort: 0 }),
  'lossless webp': (source) => source.webp({ lossless: true, effort: 0 }),
  'webp with transparency': (source) => source.ensureAlpha(0.5).webp({ effort: 0 }),
  avif: (source) => source.avif({ effort: 0 }),
};

const isShort = (bytes: Buffer): boolean => isShortOriginal(bytes, imageFormat(bytes)!);

describe.each(Object.entries(ENCODERS))('an original in %s', (_, encode) => {
  it('is short if it has few pixels', async () => {
    expect(isShort(await encode(make.picture(...SMALL)).toBuffer())).toBe(true);
    expect(isShort(await encode(make.picture(...LARGE)).toBuffer())).toBe(false);
  });

  it('is long if it ends in its header', async () => {
    const whole = await encode(make.picture(...SMALL)).toBuffer();
    const format = imageFormat(whole)!;
    expect(isShortOriginal(whole.subarray(0, format === 'gif' ? 8 : 20), format)).toBe(false);
  });
});

it.each<[string, Buffer]>([
  ['a JPEG without a frame', Buffer.from('ffd8ffda0002ffd9', 'hex')],
  ['a JPEG of bytes that are no markers', Buffer.concat([Buffer.from('ffd8ffe000020000', 'hex'), Buffer.alloc(100)])],
  [
    'a JPEG whose segments have no length',
    Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(100, 'ff00', 'hex')]),
  ],
  ['a WebP of an unknown kind', make.webp(['ABCD', Buffer.alloc(100)])],
])('%s is long', (_, bytes) => {
  expect(isShort(bytes)).toBe(false);
});

it('an AVIF of large tiles is long, whatever size it claims first', async () => {
  const large = await make
    .picture(...LARGE)
    .avif({ effort: 0 })
    .toBuffer();
  const claimed = Buffer.concat([large.subarray(0, 32), make.box('ispe', Buffer.alloc(12)), large.subarray(32)]);
  expect(isShort(claimed)).toBe(false);
});

it('a rendition is short if it and its original have few pixels', () => {
  const photograph = { width: 4_000, height: 3_000 };
  expect([180, 720, 1_080, 3_840].map((width) => isShortRendition(photograph, width))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(isShortRendition({ width: 7_744, height: 5_164 }, 180)).toBe(false);
  expect(isShortRendition({ width: 1_000, height: 1_000 }, 3_840)).toBe(true);
});

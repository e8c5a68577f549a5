import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { decodeImage } from '../../../src/image/decode.ts';
import { MAX_PIXELS, MAX_SIDE } from '../../../src/image/decoding/decode-limits.ts';
import { type Decoder, openDecoder } from '../../../src/image/decoder.ts';
import { silent } from '../log.ts';
import * as make from '../pictures.ts';

const TEST_TIMEOUT_MS = 300_000;
/** 10 megapixels in the shape of a photograph: 40 would take four times the CPU, half a minute. */
const WIDTH = 3_872;
const HEIGHT = 2_582;
/** A quarter of the limits of 40 megapixels is less than those of 10, which contain the base as a whole. */
const STRICT = { cpuFactor: 0.62, memoryFactor: 0.9 };
const BUSY_PROCESSES = 3;
const DECODERS_PRIORITY = 10;

let decoder: Decoder;
let photograph: Sharp;
let drawing: Sharp;
let avif: Buffer;

beforeAll(async () => {
  decoder = openDecoder(silent, STRICT);
  const grain = { type: 'gaussian', mean: 128, sigma: 12 } as const;
  const pixels = await sharp({
    create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#808080', noise: grain },
  })
    .raw()
    .toBuffer();
  photograph = sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
  avif = await photograph.clone().avif({ quality: 60, effort: 0 }).toBuffer();
  drawing = sharp(
    await make
      .noise(WIDTH / 16, Math.floor(HEIGHT / 16))
      .png()
      .toBuffer(),
  ).resize(WIDTH, HEIGHT, { kernel: 'nearest', fit: 'fill' });
}, TEST_TIMEOUT_MS);
afterAll(() => decoder.close());

const decode = async (bytes: Buffer) =>
  await decodeImage({ merchantId: 'a', decoder }, bytes, ['brandImage', 'base64']);

const ordinary: [string, () => Sharp][] = [
  ['JPEG', () => photograph.clone().jpeg({ quality: 85 })],
  ['progressive JPEG', () => photograph.clone().jpeg({ quality: 85, progressive: true, chromaSubsampling: '4:4:4' })],
  ['PNG', () => drawing.clone().png()],
  [
    'interlaced PNG of 16 bits',
    () => drawing.clone().ensureAlpha(0.5).toColourspace('rgb16').png({ progressive: true }),
  ],
  ['WebP', () => photograph.clone().webp({ quality: 80, effort: 0 })],
  ['WebP with transparency', () => photograph.clone().ensureAlpha(0.5).webp({ quality: 60, effort: 0 })],
  // sharp needs 12 s of CPU to choose 32 colours; decoding takes 0.3 s with any number.
  ['GIF', () => drawing.clone().gif({ effort: 1, colours: 4, dither: 0 })],
];

describe('an ordinary picture', () => {
  it.each(ordinary)(
    'passes as %s',
    async (_, encoded) => {
      expect(await decode(await encoded().toBuffer())).toMatchObject({ width: WIDTH, height: HEIGHT });
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'passes as AVIF',
    async () => {
      expect(await decode(avif)).toMatchObject({ width: WIDTH, height: HEIGHT });
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'passes on a busy machine, on which decoding takes several times its CPU time',
    async () => {
      for (let started = 0; started < BUSY_PROCESSES; started += 1) {
        const busy = spawn(process.execPath, ['-e', 'for (;;);']);
        setPriority(busy.pid!, DECODERS_PRIORITY);
        onTestFinished(() => void busy.kill('SIGKILL'));
      }
      const startedAtMs = performance.now();
      expect(await decode(avif)).toMatchObject({ width: WIDTH, height: HEIGHT });
      console.log(
        `AVIF of 10 megapixels beside ${BUSY_PROCESSES} busy processes: ${Math.round(performance.now() - startedAtMs)} ms`,
      );
    },
    TEST_TIMEOUT_MS,
  );
});

describe('a side', () => {
  const row = (width: number): Buffer =>
    make.png({ width, height: 1, depth: 1, data: make.deflatedZeros(Math.ceil(width / 8) + 1) });
  const column = (height: number): Buffer =>
    make.png({ width: 1, height, depth: 1, data: make.deflatedZeros(2 * height) });

  it('may have 30,000 pixels, in every format that allows so many', async () => {
    expect(await decode(row(MAX_SIDE))).toMatchObject({ width: MAX_SIDE, height: 1 });
    expect(await decode(column(MAX_SIDE))).toMatchObject({ width: 1, height: MAX_SIDE });
    expect(await decode(await make.picture(MAX_SIDE, 8).jpeg().toBuffer())).toMatchObject({ width: MAX_SIDE });
    expect(await decode(await make.picture(8, MAX_SIDE).gif({ effort: 1 }).toBuffer())).toMatchObject({
      height: MAX_SIDE,
    });
  });

  it.each<[string, () => Promise<Buffer>]>([
    ['PNG of one row', async () => row(MAX_SIDE + 1)],
    ['PNG of one column', async () => column(MAX_SIDE + 1)],
    [
      'JPEG',
      async () =>
        await make
          .picture(MAX_SIDE + 1, 8)
          .jpeg()
          .toBuffer(),
    ],
    [
      'progressive JPEG',
      async () =>
        await make
          .picture(8, MAX_SIDE + 1)
          .jpeg({ progressive: true })
          .toBuffer(),
    ],
    [
      'GIF',
      async () =>
        await make
          .picture(MAX_SIDE + 1, 8)
          .gif({ effort: 1 })
          .toBuffer(),
    ],
    [
      'AVIF',
      async () => make.avifOfClaimedSize(await make.picture(64, 64).avif({ effort: 0 }).toBuffer(), MAX_SIDE + 1, 8),
    ],
    ['WebP', async () => make.webp(make.webpHeader(2, MAX_SIDE + 1, 8))],
    ['PNG of 40,000,000 pixels in one row', async () => row(MAX_PIXELS)],
    ['PNG of 40,000,000 pixels in one column', async () => column(MAX_PIXELS)],
  ])('with more pixels is refused, naming the member: %s', async (_, picture) => {
    await expect(decode(await picture())).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: {
        issues: [
          {
            path: ['brandImage', 'base64'],
            message: expect.stringMatching(/a side of at most 30,000 is allowed|is damaged/),
          },
        ],
      },
    });
  });
});

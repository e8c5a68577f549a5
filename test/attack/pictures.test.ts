import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RENDITION_WIDTHS } from '../../src/image/rendition.ts';
import { avifGrid } from '../image/avif-grid.ts';
import * as make from '../image/pictures.ts';
import {
  attack,
  type AttackedService,
  expectUnharmed,
  LONGEST_WAIT_MS,
  startAttackedService,
} from './support/attacked-service.ts';
import {
  createUploader,
  startDecoders,
  type UploadAnswer,
  type Uploader,
  uploadMeanwhile,
  type Waited,
  type Waits,
} from './support/uploading-merchant.ts';

const AREA = 40_000_000;
const TEST_TIMEOUT_MS = 300_000;
const SHOWN_FOR_MS = 1_500;

let service: AttackedService;
let attacker: Uploader;
let second: Uploader;

beforeAll(async () => {
  service = await startAttackedService();
  attacker = await createUploader(service, service.attacker);
  second = await createUploader(service);
  await startDecoders(attacker, second);
});
afterAll(() => service.stop());

describe('pictures of 40 megapixels in one row or one column', () => {
  const rows = (width: number, height: number): Buffer => make.deflatedZeros((Math.ceil(width / 8) + 1) * height);
  const oneRow = make.png({ width: AREA, height: 1, depth: 1, data: rows(AREA, 1) });
  const oneColumn = make.png({ width: 1, height: AREA, depth: 1, data: rows(1, AREA) });
  const interlaced = make.png({ width: 1, height: AREA, depth: 1, interlaced: true, data: rows(1, 2 * AREA) });

  it(
    'are refused, and delay no other merchant',
    async () => {
      const pictures = [oneRow, oneColumn, interlaced, differing(oneColumn, 1), differing(interlaced, 1)];
      const answers = await attackWithPictures('rows and columns, interlaced or not', () => uploadAll(pictures));
      for (const { status, body } of answers) {
        expect([status, JSON.parse(body)]).toMatchObject([
          400,
          {
            code: 'ARGUMENT_VALIDATION_ERROR',
            issues: [{ path: ['file'], message: expect.stringContaining('30,000') }],
          },
        ]);
      }
    },
    TEST_TIMEOUT_MS,
  );
});

describe('costly pictures of several merchants', () => {
  // Few bytes: the client that sends them also measures the second merchant's waits.
  let flat: Buffer;
  beforeAll(async () => {
    // One tile is encoded instead of 40 megapixels, which takes as long as the attack.
    const [tileWidth, tileHeight, columns, rows] = [484, 516, 16, 10];
    const tile = await make.picture(tileWidth, tileHeight).avif({ effort: 0 }).toBuffer();
    const size = { width: columns * tileWidth, height: rows * tileHeight };
    flat = avifGrid({ tile, tileWidth, tileHeight, columns, rows, ...size });
  });

  it(
    'delay neither uploads of another merchant nor the pictures it shows',
    async () => {
      // Without turns for merchants the second one would wait for all of them: a second each, on two processes.
      const attackers = await Promise.all(Array.from({ length: 5 }, async () => await createUploader(service)));
      const picture = make.withTrailingBytes(flat, 0);
      const answers = await attackWithPictures(
        'costly pictures of five merchants',
        async () => await Promise.all(attackers.map(async (one) => await one.upload(picture))),
      );
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );
});

describe('pictures as costly as the limits allow', () => {
  let costly: Buffer[];
  beforeAll(async () => {
    const photograph = await make.noise(7_744, 5_164).ensureAlpha(0.5).webp({ quality: 60, effort: 0 }).toBuffer();
    const interlaced = make.png({
      width: 30_000,
      height: 1_333,
      depth: 16,
      colour: 6,
      interlaced: true,
      data: make.deflatedZeros(AREA * 8 + 200_000),
    });
    // One more than the processes that a merchant may have.
    costly = [photograph, interlaced, make.jpegOfManyScans(6_320, 6_320, 64)];
  }, TEST_TIMEOUT_MS);

  it(
    'delay neither uploads of another merchant nor the pictures it shows',
    async () => {
      const answers = await attackWithPictures('costly pictures', async () => await uploadAll(costly));
      expect(answers.map(({ status, body }) => [status, body])).toEqual(costly.map(() => [200, '"OK"']));
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'delay no other merchant when they are shown in all widths',
    async () => {
      const imageIds = (await uploadAll(costly)).map(({ imageId }) => imageId!);
      const shown = await attackWithPictures(
        'all widths of costly pictures',
        async () =>
          await answersWithin(
            SHOWN_FOR_MS,
            imageIds.flatMap((imageId) => RENDITION_WIDTHS.map(async (width) => await attacker.show(imageId, width))),
          ),
      );
      expect(shown.length).toBeGreaterThan(0);
    },
    TEST_TIMEOUT_MS,
  );
});

async function uploadAll(pictures: Buffer[]): Promise<UploadAnswer[]> {
  return await Promise.all(pictures.map(async (picture) => await attacker.upload(picture)));
}

/** Another file with the same picture. The service does not decode a file that it has stored already. */
function differing(png: Buffer, index: number): Buffer {
  return make.withPngChunks(png, make.pngChunk('tEXt', Buffer.from(`copy\0${index}`)));
}

/** The answers that arrive in time, or the first one: the attacker waits long for most of them. */
async function answersWithin(ms: number, answers: Promise<Waited>[]): Promise<Waited[]> {
  const came: Waited[] = [];
  const coming = answers.map(async (answer) => came.push(await answer));
  await Promise.all([Promise.any(coming), wait(ms)]);
  return came;
}

/** Attacks while the second merchant uploads small pictures and loads them. */
async function attackWithPictures<Answer extends Waited>(
  name: string,
  work: () => Promise<Answer[]>,
): Promise<Answer[]> {
  const outcome = { answers: [] as Answer[], waits: { uploadsMs: [], shownMs: [] } as Waits };
  const report = await attack(name, service, async () => {
    const answers = work();
    outcome.waits = await uploadMeanwhile(second, answers);
    outcome.answers = await answers;
  });
  const { uploadsMs, shownMs } = outcome.waits;
  console.log(
    `${name}: of ${uploadsMs.length} pictures of 50 x 50 pixels, an upload took ${Math.round(Math.max(...uploadsMs))} ms at most, a look ${Math.round(Math.max(...shownMs))} ms`,
  );
  expectUnharmed(report);
  expect(Math.max(...uploadsMs, ...shownMs)).toBeLessThan(LONGEST_WAIT_MS);
  return outcome.answers;
}

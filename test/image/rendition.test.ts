import { randomUUID } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { decodeImage } from '../../src/image/decode.ts';
import { openDecoder, type Decoder } from '../../src/image/decoder.ts';
import { openFolderStorage } from '../../src/image/folder-storage.ts';
import {
  openRenditions,
  RENDITION_WIDTHS,
  renditionEtag,
  type Renditions,
  type RenditionWidth,
  renditionWidth,
  type StoredImage,
} from '../../src/image/rendition.ts';
import { originalKey } from '../../src/image/storage-key.ts';
import { monitorStorage } from '../../src/image/monitored-storage.ts';
import { silent } from './log.ts';
import { noise, picture } from './pictures.ts';

const root = await mkdtemp(join(tmpdir(), 'commerce-rendition-'));
const storage = openFolderStorage(root);
let decoder: Decoder;
let large: StoredImage;
let made = 0;

beforeAll(async () => {
  const real = openDecoder(silent);
  decoder = { ...real, rendition: (...task) => real.rendition(...task).finally(() => (made += 1)) };
  large = await store(picture(4_000, 2_000).png());
});
afterAll(async () => {
  decoder.close();
  await rm(root, { recursive: true });
});

it.each(RENDITION_WIDTHS)('makes WebP %i pixels wide, with the aspect ratio of the original', async (width) => {
  const rendition = await read(openRenditions(storage, decoder), large, width);
  expect(await sharp(rendition!).metadata()).toMatchObject({ format: 'webp', width, height: width / 2 });
});

describe('never makes a picture larger', () => {
  it('than its original, and stores only one for all larger widths', async () => {
    const image = await store(noise(200, 300).png());
    const renditions = openRenditions(storage, decoder);
    const before = made;
    const all = await Promise.all(RENDITION_WIDTHS.slice(1).map((width) => read(renditions, image, width)));
    expect(new Set(all.map((rendition) => rendition!.toString('base64'))).size).toBe(1);
    expect(await sharp(all[0]!).metadata()).toMatchObject({ width: 200, height: 300 });
    expect(made - before).toBe(1);
    expect(await stored(image)).toEqual(['image_360.webp', 'original']);
  });

  it('than WebP can be high', async () => {
    const image = await store(picture(400, 30_000).png());
    const rendition = await read(openRenditions(storage, decoder), image, 360);
    expect(await sharp(rendition!).metadata()).toMatchObject({ width: 218, height: 16_383 });
  });
});

it('keeps transparency', async () => {
  const image = await store(picture(400, 400, 4).png());
  const rendition = await read(openRenditions(storage, decoder), image, 180);
  expect((await sharp(rendition!).metadata()).hasAlpha).toBe(true);
});

it('makes a rendition once for many concurrent requests', async () => {
  const image = await store(noise(1_200, 800).png());
  const renditions = openRenditions(storage, decoder);
  const before = made;
  const all = await Promise.all(Array.from({ length: 100 }, () => read(renditions, image, 540)));
  expect(made - before).toBe(1);
  expect(new Set(all.map((rendition) => rendition!.toString('base64'))).size).toBe(1);
});

it('stores renditions for later requests and for other processes', async () => {
  const image = await store(noise(600, 400).png());
  const first = await read(openRenditions(storage, decoder), image, 180);
  const before = made;
  const later = await read(openRenditions(storage, decoder), image, 180);
  expect(made).toBe(before);
  expect(later).toEqual(first);
});

it('makes a rendition again if it was lost', async () => {
  const image = await store(noise(600, 400).png());
  const renditions = openRenditions(storage, decoder);
  const first = await read(renditions, image, 180);
  await storage.delete(`${image.merchantId}/${image.imageId}/image_180.webp`);
  expect(await read(renditions, image, 180)).toEqual(first);
});

it('has no rendition of an unknown picture, and has it after the picture is stored', async () => {
  const image = { merchantId: randomUUID(), imageId: randomUUID(), width: 600, height: 400 };
  const renditions = openRenditions(storage, decoder);
  expect(await read(renditions, image, 180)).toBeNull();
  await storage.write(
    originalKey(image.merchantId, image.imageId),
    await picture(600, 400).jpeg().toBuffer(),
    'image/jpeg',
  );
  expect(await read(renditions, image, 180)).not.toBeNull();
});

it('is returned also if it cannot be stored, as on a full disk', async () => {
  const image = await store(noise(600, 400).png());
  const first = await read(openRenditions(storage, decoder), image, 180);
  await storage.delete(`${image.merchantId}/${image.imageId}/image_180.webp`);
  // The storage writes files into this folder before it renames them.
  await rename(join(root, '.unfinished'), join(root, '.away'));
  await writeFile(join(root, '.unfinished'), '');
  onTestFinished(async () => {
    await rm(join(root, '.unfinished'));
    await rename(join(root, '.away'), join(root, '.unfinished'));
  });
  expect(await read(openRenditions(monitorStorage(storage, silent), decoder), image, 180)).toEqual(first);
  expect(await stored(image)).toEqual(['original']);
});

it('fails for all requests that wait for it, and is tried again for the next one', async () => {
  const image = { merchantId: randomUUID(), imageId: randomUUID(), width: 600, height: 400 };
  const key = originalKey(image.merchantId, image.imageId);
  await storage.write(key, Buffer.from('not a picture'), 'image/jpeg');
  const renditions = openRenditions(storage, decoder);
  const outcomes = await Promise.allSettled([read(renditions, image, 180), read(renditions, image, 180)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await storage.write(key, await picture(600, 400).jpeg().toBuffer(), 'image/jpeg');
  expect(await read(renditions, image, 180)).not.toBeNull();
});

it('makes every rendition of pictures in all stored formats', async () => {
  for (const source of [
    noise(500, 400).png(),
    noise(500, 400).webp(),
    noise(500, 400).gif(),
    picture(500, 400, 4).webp(),
    noise(500, 400).avif({ effort: 0 }),
  ]) {
    const image = await store(source);
    const rendition = await read(openRenditions(storage, decoder), image, 360);
    expect(await sharp(rendition!).metadata()).toMatchObject({ width: 360, height: 288 });
  }
});

it.each(['179', '0180', '180.0', '1e3', '', '-180', 'original', '4000', ' 180'])('has no width %j', (text) => {
  expect(renditionWidth(text)).toBeNull();
});

it('has an entity tag for each stored width of each picture', () => {
  const tags = (image: StoredImage) => new Set(RENDITION_WIDTHS.map((width) => renditionEtag(image, width)));
  const other = { ...large, imageId: randomUUID() };
  expect(tags(large).size).toBe(12);
  expect(tags({ ...large, width: 500, height: 250 }).size).toBe(3);
  expect(tags(large).isDisjointFrom(tags(other))).toBe(true);
});

it('has twelve widths', () => {
  expect('180 360 540 720 900 1080 1296 1512 1728 1950 2560 3840'.split(' ').map(renditionWidth)).toEqual([
    ...RENDITION_WIDTHS,
  ]);
});

async function read(renditions: Renditions, image: StoredImage, width: RenditionWidth): Promise<Buffer | null> {
  const opened = await renditions.open(image, width);
  const bytes = opened && (await buffer(opened.stream));
  expect(bytes?.length).toBe(opened?.size);
  return bytes;
}

async function store(source: Sharp): Promise<StoredImage> {
  const image = { merchantId: randomUUID(), imageId: randomUUID() };
  const original = await decodeImage({ merchantId: image.merchantId, decoder }, await source.toBuffer(), ['file']);
  await storage.write(originalKey(image.merchantId, image.imageId), original.bytes, original.contentType);
  return { ...image, width: original.width, height: original.height };
}

async function stored({ merchantId, imageId }: StoredImage): Promise<string[]> {
  const prefix = `${merchantId}/${imageId}/`;
  const objects = await Array.fromAsync(storage.list(prefix));
  return objects.map(({ key }) => key.slice(prefix.length)).sort();
}

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile, mkdir } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openS3Storage } from '../../src/image/s3-storage.ts';
import { openStorage, type ImageStorage } from '../../src/image/storage.ts';
import { originalKey, renditionKey } from '../../src/image/storage-key.ts';
import { monitorStorage } from '../../src/image/monitored-storage.ts';
import { silent } from './log.ts';
import { startS3Server } from './s3-server.ts';

const root = await mkdtemp(join(tmpdir(), 'commerce-storage-'));
const server = await startS3Server(join(root, 'server'), 'pictures');
const bucketUrl = `s3://pictures/shop/one?region=us-east-1&forcePathStyle=true&endpoint=${server.endpoint}`;

beforeAll(() => {
  process.env.AWS_ACCESS_KEY_ID = 'S3RVER';
  process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER';
});
afterAll(async () => {
  delete process.env.AWS_ACCESS_KEY_ID;
  delete process.env.AWS_SECRET_ACCESS_KEY;
  await server.stop();
  await rm(root, { recursive: true });
});

describe.each([
  ['a folder', pathToFileURL(join(root, 'a folder', 'images')).href],
  ['a bucket', bucketUrl],
])('%s', (_, url) => {
  it('returns exactly the bytes that were written', async () => {
    const storage = await open(url);
    const { key, bytes } = picture(100_000);
    await storage.write(key, bytes, 'image/webp');
    expect(await storage.read(key)).toEqual(bytes);
    expect(await storage.exists(key)).toBe(true);
    const opened = await storage.open(key);
    expect(opened!.size).toBe(bytes.length);
    expect(await buffer(opened!.stream)).toEqual(bytes);
  });

  it('has nothing under a key that was never written', async () => {
    const storage = await open(url);
    expect(await storage.read(picture().key)).toBeNull();
    expect(await storage.open(picture().key)).toBeNull();
    expect(await storage.exists(picture().key)).toBe(false);
  });

  it('has the last of two writes', async () => {
    const storage = await open(url);
    const { key, bytes } = picture();
    await storage.write(key, Buffer.from('first'), 'image/png');
    await storage.write(key, bytes, 'image/png');
    expect(await storage.read(key)).toEqual(bytes);
  });

  it('has no deleted objects, and accepts the deletion of unknown keys', async () => {
    const storage = await open(url);
    const { key, bytes } = picture();
    await storage.write(key, bytes, 'image/jpeg');
    await storage.delete(key);
    expect(await storage.read(key)).toBeNull();
    await storage.delete(key);
  });

  it('lists the objects with a prefix, with size and age', async () => {
    const storage = await open(url);
    const merchantId = randomUUID();
    const imageId = randomUUID();
    const keys = [
      originalKey(merchantId, imageId),
      renditionKey(merchantId, imageId, 180),
      originalKey(merchantId, randomUUID()),
    ].sort();
    const startedAt = Date.now();
    for (const key of [...keys, picture().key]) {
      await storage.write(key, Buffer.from('twelve bytes'), 'image/webp');
    }
    const listed = await Array.fromAsync(storage.list(`${merchantId}/`));
    expect(listed.map(({ key }) => key).sort()).toEqual(keys);
    expect(listed.map(({ size }) => size)).toEqual([12, 12, 12]);
    expect(listed.every(({ modifiedAt }) => Math.abs(modifiedAt.getTime() - startedAt) < 5_000)).toBe(true);
    expect((await Array.fromAsync(storage.list(`${merchantId}/${imageId}/`))).map(({ key }) => key).sort()).toEqual(
      keys.filter((key) => key.includes(imageId)),
    );
    expect((await Array.fromAsync(storage.list(''))).map(({ key }) => key)).toEqual(expect.arrayContaining(keys));
    expect(await Array.fromAsync(storage.list(`${randomUUID()}/`))).toEqual([]);
  });

  // docs/reliability-tests.md: 63
  it.each([
    '../secret',
    'a/../../b',
    '/etc/passwd',
    'a//b',
    'a/',
    '',
    '.unfinished/x',
    'a/.b',
    'a\\b',
    'a\0b',
    'A',
    'a b',
    'a?b',
    '%2e%2e/a',
  ])('refuses %j as a key', async (key) => {
    const storage = await open(url);
    await expect(async () => storage.read(key)).rejects.toThrow('Not a storage key');
    await expect(async () => storage.open(key)).rejects.toThrow('Not a storage key');
    await expect(async () => storage.write(key, Buffer.from('x'), 'image/png')).rejects.toThrow('Not a storage key');
    await expect(async () => storage.delete(key)).rejects.toThrow('Not a storage key');
  });

  it.each(['..', '../', 'half-a-segment', '/'])('refuses %j as a prefix', async (prefix) => {
    const storage = await open(url);
    expect(() => storage.list(prefix)).toThrow('Not a storage prefix');
  });
});

describe('a folder only', () => {
  it('has complete objects at every moment, also while several clients write one key', async () => {
    const storage = await open(pathToFileURL(join(root, 'busy')).href);
    const { key } = picture();
    const versions = Array.from({ length: 20 }, (_, index) => Buffer.alloc(200_000, index));
    await storage.write(key, versions[0]!, 'image/png');
    const writing = Promise.all(versions.map((bytes) => storage.write(key, bytes, 'image/png')));
    for (let reads = 0; reads < 40; reads += 1) {
      const bytes = (await storage.read(key))!;
      expect(bytes.equals(Buffer.alloc(200_000, bytes[0]))).toBe(true);
    }
    await writing;
  });

  it('is empty before the first write', async () => {
    const storage = await open(pathToFileURL(join(root, 'unborn')).href);
    expect(await Array.fromAsync(storage.list(''))).toEqual([]);
    expect(await storage.read(picture().key)).toBeNull();
  });

  it('never lists unfinished files, and removes old ones', async () => {
    const folder = join(root, 'interrupted');
    const unfinished = join(folder, '.unfinished');
    await mkdir(unfinished, { recursive: true });
    await writeFile(join(unfinished, 'old'), 'half');
    await writeFile(join(unfinished, 'young'), 'half');
    const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1_000);
    await utimes(join(unfinished, 'old'), twoHoursAgo, twoHoursAgo);
    const storage = await open(pathToFileURL(folder).href);
    const { key, bytes } = picture();
    await storage.write(key, bytes, 'image/png');
    expect((await Array.fromAsync(storage.list(''))).map((stored) => stored.key)).toEqual([key]);
    expect(await readdir(unfinished)).toEqual(['young']);
  });

  it('has no folder of removed objects', async () => {
    const folder = join(root, 'removed');
    const storage = await open(pathToFileURL(folder).href);
    const pictures = [picture(), picture()];
    for (const { key, bytes } of pictures) await storage.write(key, bytes, 'image/png');
    await storage.delete(pictures[0]!.key);
    await storage.delete(pictures[0]!.key);
    const below = await readdir(folder, { recursive: true });
    expect(below).not.toContain(dirname(pictures[0]!.key));
    expect(below).toContain(pictures[1]!.key);
  });

  it('has no file of a failed write', async () => {
    const folder = join(root, 'failing');
    const storage = await open(pathToFileURL(folder).href);
    await storage.write('taken', Buffer.from('x'), 'image/png');
    await expect(storage.write('taken/below', Buffer.from('x'), 'image/png')).rejects.toThrow(/ENOTDIR|EEXIST/);
    expect(await readdir(join(folder, '.unfinished'))).toEqual([]);
  });
});

describe('a bucket only', () => {
  it('keeps two prefixes apart', async () => {
    const one = await open(bucketUrl);
    const two = await open(bucketUrl.replace('/shop/one', '/shop/two'));
    const whole = await open(bucketUrl.replace('/shop/one', ''));
    const { key, bytes } = picture();
    await one.write(key, bytes, 'image/png');
    expect(await two.exists(key)).toBe(false);
    expect(await whole.read(`shop/one/${key}`)).toEqual(bytes);
  });

  it('lists more than one page', async () => {
    const storage = await open(bucketUrl.replace('/shop/one', '/many'));
    const keys = Array.from({ length: 1_010 }, (_, index) => `image-${index}`);
    for (let at = 0; at < keys.length; at += 101) {
      await Promise.all(keys.slice(at, at + 101).map((key) => storage.write(key, Buffer.from('x'), 'image/png')));
    }
    const listed = await Array.fromAsync(storage.list(''));
    expect(listed.map(({ key }) => key).sort()).toEqual(keys.sort());
  });

  it('is unavailable, and not writable, when it fails', async () => {
    const missing = monitorStorage(await open(bucketUrl.replace('//pictures', '//absent')), silent);
    await expect(missing.write(picture().key, picture().bytes, 'image/png')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(await missing.isWritable()).toBe(false);
    const nobody = monitorStorage(
      await open('s3://pictures?region=us-east-1&forcePathStyle=true&endpoint=http://127.0.0.1:1'),
      silent,
    );
    await expect(nobody.write(picture().key, picture().bytes, 'image/png')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    await expect(nobody.read(picture().key)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(nobody.open(picture().key)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const whole = monitorStorage(await open(bucketUrl), silent);
    expect([await whole.isWritable(), await whole.exists('storage-test')]).toEqual([true, false]);
  });

  it('reports that the bucket does not exist, not that the picture does not', async () => {
    const storage = await open(bucketUrl.replace('//pictures', '//absent'));
    await expect(storage.read(picture().key)).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });
});

describe('a bucket that does not answer', () => {
  const timeouts = { responseMs: 200, operationMs: 1_000 };

  it('is unavailable after the time of an operation', async () => {
    const silentBucket = await openBucketOn(() => undefined);
    const { key, bytes } = picture();
    await expect(silentBucket.read(key)).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(silentBucket.exists(key)).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(silentBucket.delete(key)).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(Array.fromAsync(silentBucket.list(''))).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(silentBucket.write(key, bytes, 'image/png')).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is unavailable if it stops within a picture', async () => {
    const stopping = await openBucketOn((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf'));
    });
    await expect(stopping.read(picture().key)).rejects.toThrow('aborted');
    const opened = await stopping.open(picture().key);
    await expect(buffer(opened!.stream)).rejects.toThrow('aborted');
  });

  it('is unavailable if it stops before the first byte of a picture', async () => {
    const stopping = await openBucketOn((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n'));
    });
    const opening = monitorStorage(stopping, silent).open(picture().key);
    await expect(opening).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('sends a large picture to a slow bucket within the time of the operation, in one request', async () => {
    let requests = 0;
    const slow = await openBucketOn((socket) => {
      requests += 1;
      socket.once('data', () => setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'), 400));
      socket.resume();
    });
    await slow.write(picture().key, Buffer.alloc(3_000_000), 'image/png');
    expect(requests).toBe(1);
  });

  async function openBucketOn(answer: (socket: Socket) => void): Promise<ImageStorage> {
    const server = createServer((socket) => answer(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `s3://pictures?region=us-east-1&forcePathStyle=true&endpoint=http://127.0.0.1:${port}`;
    const storage = openS3Storage(new URL(url), timeouts);
    onTestFinished(() => {
      storage.close();
      server.close();
    });
    return storage;
  }
});

it.each([
  ['http://example.com/', /must start with file:\/\/\/ or s3:/],
  ['/var/images', /must start with file:\/\/\/ or s3:/],
  ['', /must start with/],
])('refuses %j as a storage', async (url, message) => {
  await expect(openStorage(url)).rejects.toThrow(message);
});

async function open(url: string): Promise<ImageStorage> {
  const storage = await openStorage(url);
  onTestFinished(() => storage.close());
  return storage;
}

function picture(size = 1_000): { key: string; bytes: Buffer } {
  return {
    key: originalKey(randomUUID(), randomUUID()),
    bytes: Buffer.from(Array.from({ length: size }, (_, index) => (index * 7_919) % 251)),
  };
}

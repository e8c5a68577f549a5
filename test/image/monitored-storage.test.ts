import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Logger } from '../../src/context.ts';
import { openFolderStorage } from '../../src/image/folder-storage.ts';
import type { ImageStorage } from '../../src/image/storage.ts';
import { monitorStorage } from '../../src/image/monitored-storage.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE' };
const PICTURE = Buffer.alloc(100_000, 7);

let folder: string;
let written: string[];
let logged: string[];
let nowMs: number;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'commerce-watched-')), 'images');
  [written, logged, nowMs] = [[], [], 1_000_000];
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(join(folder, '..'), { recursive: true });
});

const log: Logger = {
  debug() {},
  info: (_, message) => void logged.push(`info ${message}`),
  warn() {},
  error: (_, message) => void logged.push(`error ${message}`),
};

function watched(path = folder, more: Partial<ImageStorage> = {}) {
  const storage = openFolderStorage(path);
  return monitorStorage(
    { ...storage, write: async (key, ...rest) => (written.push(key), await storage.write(key, ...rest)), ...more },
    log,
  );
}

/** Replaces the folder by a file, so that nobody can write there, not even root. */
async function breakFolder(): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  await rename(folder, `${folder}-away`);
  await writeFile(folder, '');
  return async () => {
    await rm(folder);
    await rename(`${folder}-away`, folder);
  };
}

describe('a storage that works', () => {
  it('returns what was written', async () => {
    const storage = watched();
    await storage.write('one', PICTURE, 'image/png');
    expect(await storage.read('one')).toEqual(PICTURE);
    expect([await storage.exists('one'), await storage.exists('two'), await storage.read('two')]).toEqual([
      true,
      false,
      null,
    ]);
    expect(logged).toEqual([]);
  });

  it('is tested at the first check, which leaves no object, and not again for a minute', async () => {
    const storage = watched();
    expect(await Promise.all([storage.isWritable(), storage.isWritable()])).toEqual([true, true]);
    nowMs += 59_000;
    expect(await storage.isWritable()).toBe(true);
    expect(written).toHaveLength(1);
    expect(await Array.fromAsync(storage.list(''))).toEqual([]);
    nowMs += 2_000;
    expect(await storage.isWritable()).toBe(true);
    expect(written).toHaveLength(2);
  });

  it('is not tested while pictures are written anyway', async () => {
    const storage = watched();
    await storage.write('one', PICTURE, 'image/png');
    expect(await storage.isWritable()).toBe(true);
    expect(written).toEqual(['one']);
  });

  it('treats a wrong key as a mistake of the program, not as a failure of the storage', async () => {
    await expect(watched().write('../secret', PICTURE, 'image/png')).rejects.toThrow('Not a storage key');
    expect(await watched().isWritable()).toBe(true);
  });
});

describe('a storage that fails', () => {
  it('is unavailable for writing and reading, and not writable', async () => {
    await breakFolder();
    const storage = watched();
    await expect(storage.write('one', PICTURE, 'image/png')).rejects.toMatchObject(UNAVAILABLE);
    await expect(storage.read('one')).rejects.toMatchObject(UNAVAILABLE);
    await expect(storage.exists('one')).rejects.toMatchObject(UNAVAILABLE);
    expect(await storage.isWritable()).toBe(false);
  });

  it('is noticed by the test if nothing is written', async () => {
    const storage = watched();
    expect(await storage.isWritable()).toBe(true);
    await breakFolder();
    nowMs += 61_000;
    expect(await storage.isWritable()).toBe(false);
  });

  it('is tested again five seconds later, and writable again once that succeeds', async () => {
    const repair = await breakFolder();
    const storage = watched();
    await expect(storage.write('one', PICTURE, 'image/png')).rejects.toMatchObject(UNAVAILABLE);
    await repair();
    nowMs += 4_000;
    expect(await storage.isWritable()).toBe(false);
    nowMs += 2_000;
    expect(await storage.isWritable()).toBe(true);
    await storage.write('one', PICTURE, 'image/png');
    expect(await storage.read('one')).toEqual(PICTURE);
  });

  it('is logged once for many failures, and once when it works again', async () => {
    const repair = await breakFolder();
    const storage = watched();
    await Promise.allSettled(
      Array.from({ length: 10 }, async (_, index) => await storage.write(`n${index}`, PICTURE, 'image/png')),
    );
    expect(logged).toEqual(['error the image storage has failed']);
    await repair();
    await storage.write('one', PICTURE, 'image/png');
    await storage.write('two', PICTURE, 'image/png');
    expect(logged).toEqual(['error the image storage has failed', 'info the image storage works again']);
  });

  it('answers checks at once, although a bucket takes long to fail', async () => {
    vi.restoreAllMocks();
    const storage = watched(folder, { write: async () => await new Promise(() => {}) });
    expect(await storage.isWritable()).toBe(false);
  });
});

it('keeps nothing of a picture that does not fit on a full disk, and stores the next one when there is space', async ({
  skip,
}) => {
  const disk = mountSmallDisk(512);
  if (!disk) return skip('this process may not mount a file system');
  onTestFinished(() => disk.remove());
  const storage = watched(join(disk.path, 'images'));
  for (const key of ['a', 'b', 'c']) await storage.write(key, PICTURE, 'image/png');
  await expect(storage.write('d', Buffer.alloc(400_000, 7), 'image/png')).rejects.toMatchObject(UNAVAILABLE);
  expect((await readdir(join(disk.path, 'images'), { recursive: true })).sort()).toEqual([
    '.unfinished',
    'a',
    'b',
    'c',
  ]);
  await storage.delete('a');
  await storage.delete('b');
  await storage.delete('c');
  await storage.write('d', Buffer.alloc(400_000, 7), 'image/png');
  expect(logged).toEqual(['error the image storage has failed', 'info the image storage works again']);
});

it('stores no picture on a disk of which less than a tenth is free, and stores receipts of erasures', async ({
  skip,
}) => {
  const disk = mountSmallDisk(2_000);
  if (!disk) return skip('this process may not mount a file system');
  onTestFinished(() => disk.remove());
  const storage = watched(join(disk.path, 'images'));
  await storage.write('a', Buffer.alloc(1_900_000, 7), 'image/png');
  await expect(storage.write('b', Buffer.alloc(1_000), 'image/webp')).rejects.toMatchObject(UNAVAILABLE);
  nowMs += 6_000;
  expect(await storage.isWritable()).toBe(false);
  await storage.write('receipt', PICTURE, 'application/json');
  await expect(storage.write('b', Buffer.alloc(1_000), 'image/webp')).rejects.toMatchObject(UNAVAILABLE);
  await storage.delete('a');
  await storage.write('b', PICTURE, 'image/webp');
});

import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFolder, NoFoldersError } from '../../src/installation/make-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('creates the missing folders, and accepts a folder that exists', async () => {
  const path = join(folder, 'a', 'b', 'c');
  await Promise.all([makeFolder(path), makeFolder(path)]);
  await makeFolder(path);
  expect((await stat(path)).isDirectory()).toBe(true);
});

it('refuses a file, and a link that leads nowhere', async () => {
  await writeFile(join(folder, 'file'), '');
  await symlink(join(folder, 'nowhere'), join(folder, 'link'));
  await expect(makeFolder(join(folder, 'file'))).rejects.toThrow('is not a folder');
  await expect(makeFolder(join(folder, 'link'))).rejects.toThrow('ENOENT');
});

it('fails, instead of trying forever, in a file system that accepts no folders', async () => {
  await expect(makeFolder('/proc/none/below')).rejects.toThrow(NoFoldersError);
});

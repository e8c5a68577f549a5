import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPictures } from '../../src/image/add-pictures.ts';
import { plainProduct, productSaver } from '../product/products.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { noise } from './pictures.ts';
import { imageRows, openImageDependencies } from './shop.ts';

let database: TestDatabase;
let parts: Awaited<ReturnType<typeof openImageDependencies>>;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  parts = await openImageDependencies();
  folder = await mkdtemp(join(tmpdir(), 'commerce-pictures-'));
});
afterAll(async () => {
  await parts.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

it('of a folder only files are used, the first of each name: no folders, pipes and broken links', async () => {
  const ctx = await createContext(database.db);
  const save = productSaver(ctx);
  for (const slug of ['tee', 'folder', 'pipe', 'loop', 'linked'])
    await save({ ...plainProduct(slug), metaData: { slug } });
  const picture = async (width: number) => await noise(width, 10).png().toBuffer();
  await writeFile(join(folder, 'tee.webp'), await picture(21));
  await writeFile(join(folder, 'tee.jpg'), await picture(20));
  await mkdir(join(folder, 'folder.png'));
  execFileSync('mkfifo', [join(folder, 'pipe.png')]);
  await symlink(join(folder, 'loop.png'), join(folder, 'loop.png'));
  await symlink(join(folder, 'tee.webp'), join(folder, 'linked.png'));
  await writeFile(join(folder, '..%2ftee.png'), 'no picture');
  expect(await addPictures({ ...ctx, ...parts }, folder)).toMatchObject({ added: 2, failed: [] });
  expect((await imageRows(ctx)).map(({ width }) => width).toSorted((a, b) => Number(a) - Number(b))).toEqual([20, 21]);
  expect(await addPictures({ ...ctx, ...parts }, folder)).toMatchObject({ added: 0, kept: 2 });
});

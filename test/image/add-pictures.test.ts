import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPictures } from '../../src/image/add-pictures.ts';
import { MAX_IMAGE_BYTES } from '../../src/image/decode.ts';
import { deleteProductList } from '../../src/product/deleteProductList.ts';
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

it('a picture that cannot be added is named with its reason, and the others are added', async () => {
  const ctx = await createContext(database.db);
  const own = await mkdtemp(join(tmpdir(), 'commerce-damaged-'));
  const save = productSaver(ctx);
  for (const slug of ['a-text', 'b-half', 'c-large', 'd-good', 'e-good'])
    await save({ ...plainProduct(slug), metaData: { slug } });
  const good = await noise(30, 10).png().toBuffer();
  await writeFile(join(own, 'a-text.png'), 'no picture');
  await writeFile(join(own, 'b-half.png'), good.subarray(0, good.length / 2));
  await writeFile(join(own, 'c-large.png'), good);
  await truncate(join(own, 'c-large.png'), MAX_IMAGE_BYTES + 1);
  await writeFile(join(own, 'd-good.png'), good);
  await writeFile(join(own, 'e-good.jpg'), await noise(31, 10).png().toBuffer());
  await writeFile(join(own, 'e-good.png'), good);
  await writeFile(join(own, 'nobody.png'), good);
  const expected = {
    failed: [
      { file: 'a-text.png', reason: expect.stringContaining('must be a JPEG') },
      { file: 'b-half.png', reason: expect.stringContaining('damaged') },
      { file: 'c-large.png', reason: `has more than ${MAX_IMAGE_BYTES} bytes` },
    ],
    withoutProduct: ['nobody.png'],
    repeated: ['e-good.png'],
  };
  const first = await addPictures({ ...ctx, ...parts }, own);
  first.failed.sort((a, b) => (a.file < b.file ? -1 : 1));
  expect(first).toEqual({ added: 2, kept: 0, ...expected });
  const second = await addPictures({ ...ctx, ...parts }, own);
  second.failed.sort((a, b) => (a.file < b.file ? -1 : 1));
  expect(second).toEqual({ added: 0, kept: 2, ...expected });
  expect(await addPictures({ ...ctx, ...parts }, own, AbortSignal.abort())).toMatchObject({ added: 0, failed: [] });
  await rm(own, { recursive: true });
});

it('a picture is of the product with its name as slug in any Unicode form, else as source id', async () => {
  const ctx = await createContext(database.db);
  const own = await mkdtemp(join(tmpdir(), 'commerce-names-'));
  const save = productSaver(ctx);
  await save({ ...plainProduct('Café'), metaData: { slug: 'café' } });
  await save({ ...plainProduct('Cap'), sourceId: 'cap', metaData: { slug: 'sun-hat' } });
  await writeFile(join(own, 'café.png'.normalize('NFD')), await noise(40, 10).png().toBuffer());
  await writeFile(join(own, 'cap.png'), await noise(41, 10).png().toBuffer());
  const none = { failed: [], withoutProduct: [], repeated: [] };
  expect(await addPictures({ ...ctx, ...parts }, own)).toEqual({ ...none, added: 2, kept: 0 });
  await rm(own, { recursive: true });
});

it('a picture is of the product with its name as source id if the one with this slug is deleted, and the reverse', async () => {
  const ctx = await createContext(database.db);
  const own = await mkdtemp(join(tmpdir(), 'commerce-replaced-'));
  const save = productSaver(ctx);
  const deleted = [
    await save({ ...plainProduct('Tee'), metaData: { slug: 'tee' } }),
    await save({ ...plainProduct('Old cap'), sourceId: 'cap', metaData: { slug: 'old-cap' } }),
  ];
  await deleteProductList(ctx, { idList: deleted.map(({ id }) => id) });
  await save({ ...plainProduct('New tee'), sourceId: 'tee', metaData: { slug: 'new-tee' } });
  await save({ ...plainProduct('Cap'), metaData: { slug: 'cap' } });
  for (const [index, name] of ['tee', 'cap'].entries())
    await writeFile(
      join(own, `${name}.png`),
      await noise(50 + index, 10)
        .png()
        .toBuffer(),
    );
  expect(await addPictures({ ...ctx, ...parts }, own)).toMatchObject({ added: 2, kept: 0, withoutProduct: [] });
  await rm(own, { recursive: true });
});

it('a picture of a deleted product, or of one without variants, is listed and not stored', async () => {
  const ctx = await createContext(database.db);
  const own = await mkdtemp(join(tmpdir(), 'commerce-nowhere-'));
  const save = productSaver(ctx);
  const { id } = await save({ ...plainProduct('gone'), metaData: { slug: 'gone' } });
  await deleteProductList(ctx, { idList: [id] });
  await save({ ...plainProduct('bare'), variants: [], metaData: { slug: 'bare' } });
  for (const name of ['gone', 'bare']) await writeFile(join(own, `${name}.png`), await noise(42, 10).png().toBuffer());
  const listed = { failed: [{ file: 'bare.png', reason: 'its product has no variant' }], withoutProduct: ['gone.png'] };
  expect(await addPictures({ ...ctx, ...parts }, own)).toEqual({ ...listed, added: 0, kept: 0, repeated: [] });
  expect(await imageRows(ctx)).toEqual([]);
  await rm(own, { recursive: true });
});

it('a failure of the storage ends it, because no other picture could be added either', async () => {
  const ctx = await createContext(database.db);
  await productSaver(ctx)({ ...plainProduct('tee'), metaData: { slug: 'tee' } });
  await writeFile(join(folder, 'tee.jpg'), await noise(22, 10).png().toBuffer());
  const failing = {
    ...parts.storage,
    write: () => Promise.reject(Object.assign(new Error('full'), { path: '/elsewhere' })),
  };
  await expect(addPictures({ ...ctx, ...parts, storage: failing as never }, folder)).rejects.toThrow('full');
});

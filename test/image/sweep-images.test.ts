import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { saveProductBrand } from '../../src/brand/saveProductBrand.ts';
import type { Context } from '../../src/context.ts';
import { render } from '../../src/db/sql/compiled-statement.ts';
import { newId } from '../../src/db/sql/id.ts';
import { openRenditions } from '../../src/image/rendition.ts';
import { originalKey } from '../../src/image/storage-key.ts';
import { type SweepSettings, sweepImages } from '../../src/image/sweep-images.ts';
import { uploadImage } from '../../src/image/upload-image.ts';
import { saveProduct } from '../../src/product/saveProduct.ts';
import { saveProductAttribute } from '../../src/attribute/saveProductAttribute.ts';
import { saveCategory } from '../../src/category/saveCategory.ts';
import { saveVariantType } from '../../src/variant-type/saveVariantType.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { spyDatabase } from '../support/spy-database.ts';
import { noise } from './pictures.ts';
import { brandOf, imageRows, openImageDependencies, storedKeys } from './shop.ts';

/** Images that a sweep removes at once. */
const BATCH_SIZE = 500;

let database: TestDatabase;
let parts: Awaited<ReturnType<typeof openImageDependencies>>;
let ctx: Context;

beforeAll(async () => {
  database = await createDatabase();
  parts = await openImageDependencies();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await parts.close();
  await database.drop();
});

const sweep = async (settings: SweepSettings = { unusedMaxAgeMs: 0, objectMinAgeMs: 0 }) =>
  await sweepImages({ db: database.db, across: database.across, storage: parts.storage }, settings);

let width = 200;
async function uploaded(own = ctx): Promise<{ imageId: string; brand: string; file: Buffer }> {
  const brand = await brandOf(own, randomUUID());
  const file = await noise((width += 1), 10)
    .png()
    .toBuffer();
  return { imageId: await uploadTo(brand, file, own), brand, file };
}

async function uploadTo(brand: string, file: Buffer, own = ctx): Promise<string> {
  return await uploadImage(
    { ...own, ...parts },
    { target: { kind: 'brand', ids: [brand], idsPath: [] }, source: { kind: 'file', path: ['file'] }, file },
  );
}

async function detach(brand: string): Promise<void> {
  await saveProductBrand(ctx, { input: { id: brand, name: randomUUID(), imageId: null } }, { id: {} });
}

it('removes an image without references, with its renditions', async () => {
  const [gone, kept] = [await uploaded(), await uploaded()];
  const rendition = await openRenditions(parts.storage, parts.decoder).open(
    { merchantId: ctx.merchantId, imageId: gone.imageId, width, height: width },
    180,
  );
  rendition!.stream.destroy();
  await detach(gone.brand);
  expect(await sweep()).toEqual({ images: 1, objects: 0 });
  expect(await imageRows(ctx)).toMatchObject([{ id: kept.imageId }]);
  expect(await storedKeys(parts, ctx)).toEqual([originalKey(ctx.merchantId, kept.imageId)]);
});

it('removes it thirty days after it was first found without references', async () => {
  const { brand } = await uploaded();
  await database.db.execute(
    sql`update image set created_at = now() - interval '1 year', updated_at = now() - interval '1 year' where merchant_id = ${ctx.merchantId}`,
  );
  await detach(brand);
  expect(await sweep({})).toEqual({ images: 0, objects: 0 });
  await database.db.execute(
    sql`update image set unused_since = now() - interval '29 days' where merchant_id = ${ctx.merchantId}`,
  );
  expect(await sweep({})).toMatchObject({ images: 0 });
  await database.db.execute(
    sql`update image set unused_since = now() - interval '30 days' where merchant_id = ${ctx.merchantId}`,
  );
  expect(await sweep({})).toMatchObject({ images: 1 });
});

it('starts the thirty days again if the image was used in the meantime', async () => {
  const { brand, imageId, file } = await uploaded();
  const unused = async () =>
    (
      await database.db.execute<{ since: string | null }>(
        sql`select unused_since as since from image where merchant_id = ${ctx.merchantId}`,
      )
    )[0]!.since;
  await detach(brand);
  await sweep({});
  expect(await unused()).not.toBeNull();
  await saveProductBrand(ctx, { input: { id: brand, name: 'B', imageId } }, { id: {} });
  await sweep({});
  expect(await unused()).toBeNull();
  await detach(brand);
  await sweep({});
  await uploadTo(brand, file);
  expect(await unused()).toBeNull();
});

it('keeps images wherever a record refers to them', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 5; index++) {
    const { imageId, brand } = await uploaded();
    await detach(brand);
    ids.push(imageId);
  }
  const [variant, category, value, option, attributeValue] = ids as [string, string, string, string, string];
  await saveCategory(ctx, { input: { name: 'C', imageId: category } }, { id: {} });
  await saveVariantType(
    ctx,
    { input: { name: 'T', selectionType: 'choice', values: [{ name: 'V', thumbnailImageId: value }] } },
    { id: {} },
  );
  const attribute = await saveProductAttribute(
    ctx,
    { input: { name: 'A', type: 'CHOICE', options: [{ name: 'O', thumbnailImageId: option }] } },
    { id: {} },
  );
  const attributes = [{ productAttributeId: attribute.id, imageIds: ['of another system', attributeValue] }];
  const variants = [{ prices: [{ sellPrice: 1 }], images: [{ imageId: variant, isMain: true, order: 0 }], attributes }];
  await saveProduct(ctx, { input: { name: 'P', type: 'PHYSICAL', variants } as never }, { id: {} });
  expect(await sweep()).toEqual({ images: 0, objects: 0 });
  expect((await imageRows(ctx)).map(({ id }) => id).sort()).toEqual(ids.sort());
});

it('keeps images that the value of an attribute names, by id or within an address, as long as it does', async () => {
  const pictures = [await uploaded(), await uploaded(), await uploaded()];
  for (const { brand } of pictures) await detach(brand);
  const [first, second, third] = pictures.map(({ imageId }) => imageId);
  const attribute = await saveProductAttribute(ctx, { input: { name: 'Label', type: 'IMAGE' } }, { id: {} });
  const valued = (value: string) => [{ productAttributeId: attribute.id, value }];
  const address = `https://shop.example/images/${ctx.merchantId}/${third}/image_720.webp`;
  const variants = [{ prices: [{ sellPrice: 1 }], attributes: valued(address) }];
  const input = { name: 'P', type: 'PHYSICAL', attributes: valued(`${first}, ${second}`), variants };
  const { id } = await saveProduct(ctx, { input } as never, { id: {} });
  expect(await sweep()).toEqual({ images: 0, objects: 0 });
  await database.db.execute(
    sql`update product set attributes = null where merchant_id = ${ctx.merchantId} and id = ${id}`,
  );
  expect(await sweep()).toEqual({ images: 2, objects: 0 });
  expect((await imageRows(ctx)).map((row) => row.id)).toEqual([third]);
});

it('keeps an image that a save names after its references were read', async () => {
  const { imageId, brand } = await uploaded();
  await detach(brand);
  const spy = spyDatabase('execute', async ({ argument, run }) => {
    if (render(argument as SQL).sql.includes('delete from "image"')) {
      spy.mockRestore();
      await saveProductBrand(ctx, { input: { id: brand, name: 'B', imageId } }, { id: {} });
    }
    return await run();
  });
  onTestFinished(() => spy.mockRestore());
  expect(await sweep()).toEqual({ images: 0, objects: 0 });
  expect(await imageRows(ctx)).toMatchObject([{ id: imageId }]);
});

it('removes objects of failed uploads, which have no row, when they are a day old', async () => {
  const { imageId } = await uploaded();
  const orphan = originalKey(ctx.merchantId, newId());
  await parts.storage.write(orphan, Buffer.from('x'), 'image/png');
  expect(await sweep({})).toEqual({ images: 0, objects: 0 });
  expect(await storedKeys(parts, ctx)).toContain(orphan);
  expect(await sweep()).toEqual({ images: 0, objects: 1 });
  expect(await storedKeys(parts, ctx)).toEqual([originalKey(ctx.merchantId, imageId)]);
});

it('keeps objects of merchants of another database', async () => {
  const foreign = originalKey(newId(), newId());
  await parts.storage.write(foreign, Buffer.from('x'), 'image/png');
  await sweep();
  expect(await parts.storage.exists(foreign)).toBe(true);
});

it('checks more images than a batch has', async () => {
  await database.db.execute(sql`
    insert into image (merchant_id, content_hash, content_type, size_bytes, width, height)
    select ${ctx.merchantId}::uuid, n::text, 'image/png', 1, 1, 1 from generate_series(1, 1201) as n`);
  expect(await sweep()).toEqual({ images: 1_201, objects: 0 });
  expect(await imageRows(ctx)).toEqual([]);
});

describe('a sweep that is stopped', () => {
  afterEach(async () => void (await sweep()));

  /** Sweeps until the storage is asked to do this with objects of the merchant for the first time. */
  async function sweepUntil(method: 'list' | 'delete') {
    const stop = new AbortController();
    const stopping = (key: string): unknown => {
      if (!key.startsWith(ctx.merchantId)) return parts.storage[method](key);
      stop.abort();
      return parts.storage[method](key);
    };
    const storage = { ...parts.storage, [method]: stopping };
    const settings = { unusedMaxAgeMs: 0, objectMinAgeMs: 0, signal: stop.signal };
    return await sweepImages({ db: database.db, across: database.across, storage }, settings);
  }

  it('removes no more objects without rows', async () => {
    for (let count = 0; count < 3; count += 1)
      await parts.storage.write(originalKey(ctx.merchantId, newId()), new Uint8Array(1), 'image/webp');
    expect(await sweepUntil('delete')).toEqual({ images: 0, objects: 1 });
    expect(await storedKeys(parts, ctx)).toHaveLength(2);
  });

  it('lists no more objects', async () => {
    await parts.storage.write(originalKey(ctx.merchantId, newId()), new Uint8Array(1), 'image/webp');
    expect(await sweepUntil('list')).toEqual({ images: 0, objects: 0 });
  });

  it('removes no more images than those of a batch, and leaves their objects to the next sweep', async () => {
    await database.db.execute(sql`
      insert into image (merchant_id, content_hash, content_type, size_bytes, width, height, unused_since)
      select ${ctx.merchantId}, n::text, 'image/webp', 1, 1, 1, now() - interval '1 day'
      from generate_series(1, ${BATCH_SIZE + 1}::int) as n`);
    for (const { id } of await imageRows(ctx))
      await parts.storage.write(originalKey(ctx.merchantId, id), new Uint8Array(1), 'image/webp');
    expect(await sweepUntil('list')).toEqual({ images: BATCH_SIZE, objects: 0 });
    expect(await imageRows(ctx)).toHaveLength(1);
    expect(await sweep()).toEqual({ images: 1, objects: BATCH_SIZE - 1 });
    expect(await storedKeys(parts, ctx)).toEqual([]);
  });
});

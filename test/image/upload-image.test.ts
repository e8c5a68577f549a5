import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteProductBrandList } from '../../src/brand/deleteProductBrandList.ts';
import { listProductBrand } from '../../src/brand/listProductBrand.ts';
import { listCategory } from '../../src/category/listCategory.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { attachImage, checkImageTarget } from '../../src/image/attach-image.ts';
import type { ImageTarget } from '../../src/image/upload-input.ts';
import { uploadImage } from '../../src/image/upload-image.ts';
import { deleteProductList } from '../../src/product/deleteProductList.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { saveProduct } from '../../src/product/saveProduct.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { noise, picture } from './pictures.ts';
import { brandOf, categoryOf, imageRows, imagesOf, openImageDependencies, storedKeys, variantsOf } from './shop.ts';

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

const png = async (width: number, height = 10) => await noise(width, height).png().toBuffer();
const variants = (ids: string[], order = 0, isMain = false): ImageTarget => ({
  kind: 'variant',
  ids,
  idsPath: ['productImage', 'variantIds'],
  order,
  isMain,
});
const records = (kind: 'category' | 'brand', ids: string[]): ImageTarget => ({
  kind,
  ids,
  idsPath: [`${kind}Image`, 'categoryIds'],
});

async function upload(target: ImageTarget, file: Buffer, own = ctx): Promise<string> {
  return await uploadImage({ ...own, ...parts }, { target, source: { kind: 'file', path: ['file'] }, file });
}

/** Gives each variant 17 MiB of images, without history, which would take seconds. */
async function storeLongImages(ids: string[]): Promise<void> {
  const image = {
    imageId: null,
    order: 0,
    isMain: false,
    fileName: 'x'.repeat(20_000),
    isVideo: null,
    sourceUrl: null,
  };
  await database.owner.transaction(async (transaction) => {
    await transaction.execute(sql`set local session_replication_role = replica`);
    await transaction.execute(sql`
      update variant set images = (select json_agg(${JSON.stringify(image)}::json) from generate_series(1, 900))
      where merchant_id = ${ctx.merchantId} and id = any(${`{${ids.join()}}`}::uuid[])`);
  });
}

describe('an upload to variants', () => {
  it('adds the picture to each of them, in the given order', async () => {
    const { productId, variantIds } = await variantsOf(ctx, 3);
    const later = await upload(variants(variantIds.slice(0, 2), 2.5), await png(20));
    const sooner = await upload(variants(variantIds.slice(0, 2), 1), await png(21));
    const [first, second, third] = await imagesOf(ctx, productId);
    expect(first!.map(({ imageId, order }) => [imageId, order])).toEqual([
      [sooner, 1],
      [later, 2.5],
    ]);
    expect(second).toEqual(first);
    expect(third).toEqual([]);
  });

  it('makes the first picture of a variant its main one, also with `isMain: false`', async () => {
    const { productId, variantIds } = await variantsOf(ctx);
    await upload(variants(variantIds, 0, false), await png(20));
    expect(await imagesOf(ctx, productId)).toMatchObject([[{ isMain: true }]]);
  });

  it('makes a new main picture the only main one', async () => {
    const { productId, variantIds } = await variantsOf(ctx, 2);
    const old = await upload(variants(variantIds, 0, true), await png(20));
    const main = await upload(variants(variantIds.slice(1), 1, true), await png(21));
    const [first, second] = await imagesOf(ctx, productId);
    expect(first).toMatchObject([{ imageId: old, isMain: true }]);
    expect(second).toMatchObject([
      { imageId: old, isMain: false },
      { imageId: main, isMain: true },
    ]);
  });

  it('changes a picture that the variant already has, instead of adding it again', async () => {
    const { productId, variantIds } = await variantsOf(ctx);
    const [one, two] = [await png(20), await png(21)];
    const first = await upload(variants(variantIds, 0, true), one);
    const second = await upload(variants(variantIds, 1), two);
    expect(await upload(variants(variantIds, 5, false), one)).toBe(first);
    expect(await imagesOf(ctx, productId)).toMatchObject([
      [
        { imageId: second, isMain: true, order: 1 },
        { imageId: first, isMain: false, order: 5 },
      ],
    ]);
  });

  it('keeps the main picture if its upload is sent again', async () => {
    const { productId, variantIds } = await variantsOf(ctx);
    const picture = await png(20);
    const main = await upload(variants(variantIds, 5), picture);
    await upload(variants(variantIds, 1), await png(21));
    await upload(variants(variantIds, 5), picture);
    expect(await imagesOf(ctx, productId)).toMatchObject([[{ isMain: false }, { imageId: main, isMain: true }]]);
  });

  it('leaves exactly one main picture after concurrent uploads', async () => {
    const { productId, variantIds } = await variantsOf(ctx, 2);
    const files = await Promise.all(Array.from({ length: 12 }, (_, index) => png(20 + index)));
    await Promise.all(files.map((file, index) => upload(variants(variantIds, index, index % 2 === 0), file)));
    for (const images of await imagesOf(ctx, productId)) {
      expect(images).toHaveLength(12);
      expect(images!.filter(({ isMain }) => isMain)).toHaveLength(1);
    }
  });

  it('counts as a change of the product', async () => {
    const { productId, variantIds } = await variantsOf(ctx);
    const read = async () =>
      (await listProduct(ctx, { id: { eq: productId } }, { data: { version: {}, updatedAt: {} } })).data[0]!;
    const before = await read();
    const picture = await png(20);
    await upload(variants(variantIds), picture);
    const after = await read();
    expect(after.version).toBe(before.version + 1);
    expect(after.updatedAt).toBeGreaterThan(before.updatedAt!);
    await upload(variants(variantIds), picture);
    expect(await read()).toEqual(after);
  });

  it('leaves the other pictures as they are if the variant has the picture, also those without an id', async () => {
    const { productId, variantIds } = await variantsOf(ctx);
    const picture = await png(20);
    await upload(variants(variantIds, 0, true), picture);
    const others = ['a', 'b'].map((fileName) => ({ imageId: null, order: 1, isMain: false, fileName }));
    await database.db.execute(sql`
      update variant set images = (images::jsonb || ${JSON.stringify(others)}::jsonb)::json
      where merchant_id = ${ctx.merchantId} and id = ${variantIds[0]}`);
    await upload(variants(variantIds, 2, true), picture);
    expect((await imagesOf(ctx, productId))[0]!.map(({ fileName }) => fileName)).toEqual(['a', 'b', null]);
  });

  it('is refused for a variant with 1,000 pictures, and may change one of them', async () => {
    const { productId, variantIds } = await variantsOf(ctx, 2);
    const [first, second] = variantIds as [string, string];
    const one = await png(20);
    const known = await upload(variants([second]), one);
    const others = Array.from({ length: 999 }, () => ({
      imageId: newId(),
      order: 1,
      isMain: false,
      fileName: null,
      isVideo: null,
      sourceUrl: null,
    }));
    await database.db.execute(sql`
      update variant set images = (images::jsonb || ${JSON.stringify(others)}::jsonb)::json
      where merchant_id = ${ctx.merchantId} and id = ${second}`);
    await expect(upload(variants([first, second]), await png(21))).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['productImage', 'variantIds', 1] }] },
    });
    await upload(variants([first, second], 2), one);
    const [ofFirst, ofSecond] = await imagesOf(ctx, productId);
    expect(ofFirst).toHaveLength(1);
    expect(ofSecond!.at(-1)).toMatchObject({ imageId: known, order: 2 });
    expect(ofSecond).toHaveLength(1_000);
  });

  it('is refused before the picture is decoded if the variants have more than 32 MiB of images together', async () => {
    const { variantIds } = await variantsOf(ctx, 2);
    await storeLongImages(variantIds);
    const refusal = {
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: {
        issues: [{ path: ['productImage', 'variantIds'], message: expect.stringContaining('at most 33554432 bytes') }],
      },
    };
    const noPicture = Buffer.from('no picture');
    await expect(upload(variants(variantIds), noPicture)).rejects.toMatchObject(refusal);
    await expect(attachImage(ctx, variants(variantIds), newId())).rejects.toMatchObject(refusal);
    await checkImageTarget(ctx, variants(variantIds.slice(0, 1)));
  });

  it('is kept by a save that sends the product back as it was read', async () => {
    const { productId, variantIds } = await variantsOf(ctx);
    await upload(variants(variantIds, 1, true), await png(20));
    await upload(variants(variantIds, 0), await png(21));
    const before = await imagesOf(ctx, productId);
    const images = before[0]!.toReversed();
    await saveProduct(
      ctx,
      {
        input: {
          id: productId,
          name: 'Tee',
          type: 'PHYSICAL',
          variants: [{ id: variantIds[0], prices: [], images }],
        } as never,
      },
      { id: {} },
    );
    expect(await imagesOf(ctx, productId)).toEqual(before);
  });
});

describe.each(['category', 'brand'] as const)('an upload to a %s', (kind) => {
  const list = async (own = ctx) =>
    kind === 'category'
      ? await listCategory(own, {}, { id: {}, imageId: {}, updatedAt: {} })
      : await listProductBrand(own, {}, { id: {}, imageId: {}, updatedAt: {} });
  const create = async (own: Context, name: string) =>
    kind === 'category' ? await categoryOf(own) : await brandOf(own, name);

  it('sets its image, which the next upload replaces', async () => {
    const ids = [await create(ctx, 'A'), await create(ctx, 'B')];
    await upload(records(kind, ids), await png(20));
    const last = await png(21);
    const imageId = await upload(records(kind, ids), last);
    const found = await list();
    expect(found.map((record) => record.imageId)).toEqual([imageId, imageId]);
    await upload(records(kind, ids), last);
    expect(await list()).toEqual(found);
  });

  it('changes nothing if one id is unknown', async () => {
    const id = await create(ctx, 'A');
    const before = await list();
    await expect(upload(records(kind, [id, newId()]), await png(20))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await list()).toEqual(before);
  });
});

describe('an upload that is refused', () => {
  it('changes nothing, and names the unknown ids and the member that lists them', async () => {
    const { productId, variantIds } = await variantsOf(ctx);
    const unknown = newId();
    const other = await createContext(database.db);
    const foreign = (await variantsOf(other)).variantIds[0]!;
    await expect(upload(variants([...variantIds, unknown, foreign, 'no id']), await png(20))).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'Variant', ids: [unknown, foreign, 'no id'], path: ['productImage', 'variantIds'] },
    });
    expect(await imagesOf(ctx, productId)).toEqual([[]]);
    expect(await imageRows(ctx)).toEqual([]);
    expect(await storedKeys(parts, ctx)).toEqual([]);
  });

  it('quotes at most 255 characters of each unknown id', async () => {
    const long = `${'x'.repeat(253)}😀${'x'.repeat(1_000_000)}`;
    const error = (await upload(variants([long, 'short']), await png(20)).catch((thrown: unknown) => thrown)) as Error;
    const quoted = `${'x'.repeat(253)}\ufffd…`;
    expect(error).toMatchObject({
      message: `Variant not found: ${quoted}, short`,
      extensions: { ids: [quoted, 'short'] },
    });
  });

  // docs/reliability-tests.md: 12
  it("gives another merchant's ids the same answer as unknown ids", async () => {
    const other = await createContext(database.db);
    const foreign: [ImageTarget, ImageTarget['kind']][] = [
      [variants((await variantsOf(other)).variantIds), 'variant'],
      [records('category', [await categoryOf(other)]), 'category'],
      [records('brand', [await brandOf(other)]), 'brand'],
    ];
    for (const [target] of foreign) {
      const refusal = async (ids: string[]) => {
        const error = (await upload({ ...target, ids }, await png(20)).catch((thrown: unknown) => thrown)) as {
          message: string;
          code: string;
          extensions: object;
        };
        return JSON.stringify([error.code, error.message, error.extensions]).replaceAll(ids[0]!, '<id>');
      };
      expect(await refusal(target.ids)).toBe(await refusal([newId()]));
    }
    expect(await imageRows(other)).toEqual([]);
  });

  it('is one to deleted records', async () => {
    const { productId, variantIds } = await variantsOf(ctx);
    const brand = await brandOf(ctx);
    await deleteProductList(ctx, { idList: [productId] });
    await deleteProductBrandList(ctx, { idList: [brand] });
    await expect(upload(variants(variantIds), await png(20))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(upload(records('brand', [brand]), await png(20))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is one to records that are deleted while the picture is decoded', async () => {
    const brand = await brandOf(ctx);
    const decoder: typeof parts.decoder = {
      ...parts.decoder,
      original: async (...task) => {
        await deleteProductBrandList(ctx, { idList: [brand] });
        return await parts.decoder.original(...task);
      },
    };
    const late = uploadImage(
      { ...ctx, ...parts, decoder },
      { target: records('brand', [brand]), source: { kind: 'file', path: ['file'] }, file: await png(20) },
    );
    await expect(late).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await imageRows(ctx)).toEqual([]);
  });

  it('is a file that is not a picture', async () => {
    const { variantIds } = await variantsOf(ctx);
    await expect(upload(variants(variantIds), Buffer.from('<svg/>'))).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['file'] }] },
    });
    expect(await imageRows(ctx)).toEqual([]);
  });
});

describe('the same file', () => {
  it('is stored once for a merchant, for any kind of record', async () => {
    const file = await png(30, 20);
    const { variantIds } = await variantsOf(ctx);
    const ids = [
      await upload(variants(variantIds), file),
      await upload(records('category', [await categoryOf(ctx)]), file),
      await upload(records('brand', [await brandOf(ctx)]), file),
    ];
    expect(new Set(ids).size).toBe(1);
    expect(await imageRows(ctx)).toMatchObject([{ id: ids[0], width: 30, height: 20 }]);
    expect(await storedKeys(parts, ctx)).toEqual([`${ctx.merchantId}/${ids[0]}/original`]);
  });

  it('is stored once by concurrent uploads', async () => {
    const file = await png(31);
    const { variantIds } = await variantsOf(ctx);
    const ids = await Promise.all(Array.from({ length: 16 }, () => upload(variants(variantIds), file)));
    expect(new Set(ids).size).toBe(1);
    expect(await imageRows(ctx)).toHaveLength(1);
    expect(await storedKeys(parts, ctx)).toEqual([`${ctx.merchantId}/${ids[0]}/original`]);
  });

  it('is another image for another merchant', async () => {
    const file = await png(32);
    const other = await createContext(database.db);
    const mine = await upload(records('brand', [await brandOf(ctx)]), file);
    const theirs = await upload(records('brand', [await brandOf(other)]), file, other);
    expect(theirs).not.toBe(mine);
    expect(await storedKeys(parts, other)).toEqual([`${other.merchantId}/${theirs}/original`]);
  });

  it('is stored again with the same id if it was lost', async () => {
    const file = await picture(33, 10).jpeg().toBuffer();
    const brand = await brandOf(ctx);
    const id = await upload(records('brand', [brand]), file);
    await rm(join(parts.folder, ctx.merchantId, id, 'original'));
    expect(await upload(records('brand', [brand]), file)).toBe(id);
    expect(await storedKeys(parts, ctx)).toEqual([`${ctx.merchantId}/${id}/original`]);
  });
});

// docs/reliability-tests.md: 65
it('sends as many statements for 250 variants as for one', async () => {
  const { variantIds } = await variantsOf(ctx, 250);
  const cost = async (ids: string[]) => {
    const before = database.statements.length;
    await database.db.transaction(async (db) => await attachImage({ ...ctx, db }, variants(ids), newId()));
    return database.statements.length - before;
  };
  expect(await cost(variantIds)).toBe(await cost(variantIds.slice(0, 1)));
});

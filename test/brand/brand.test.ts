import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteProductBrandList } from '../../src/brand/deleteProductBrandList.ts';
import { listProductBrand } from '../../src/brand/listProductBrand.ts';
import { saveProductBrand } from '../../src/brand/saveProductBrand.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { Selection } from '../../src/db/read/projection.ts';
import { deleteSalesChannelList } from '../../src/sales-channel/deleteSalesChannelList.ts';
import { saveSalesChannel } from '../../src/sales-channel/saveSalesChannel.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const all: Selection = {
  id: {},
  name: {},
  description: {},
  imageId: {},
  orderType: {},
  salesChannelIds: {},
  translations: {},
  createdAt: {},
  updatedAt: {},
  deleted: {},
  metaData: { id: {}, slug: {}, pageTitle: {}, targetId: {}, targetType: {} },
};

let database: TestDatabase;
let ctx: Context;
let stranger: Context;

beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
  stranger = await createContext(database.db);
});
afterAll(() => database.drop());

describe('saveProductBrand', () => {
  it('creates a brand with a slug from its name', async () => {
    const brand = await saveProductBrand(
      ctx,
      { input: { name: '  Şık Giyim ', description: 'a "quoted"\ntext' } },
      all,
    );
    expect(brand).toMatchObject({
      name: 'Şık Giyim',
      description: 'a "quoted"\ntext',
      deleted: false,
      salesChannelIds: [],
    });
    expect(brand.metaData).toMatchObject({ slug: 'sik-giyim', targetId: brand.id, targetType: 'BRAND' });
  });

  it('keeps what is left out and clears what is null', async () => {
    const { id } = await saveProductBrand(
      ctx,
      { input: { name: 'Keep', description: 'text', orderType: 'NEWEST' } },
      all,
    );
    const kept = await saveProductBrand(ctx, { input: { id, name: 'Keep' } }, all);
    expect(kept).toMatchObject({ description: 'text', orderType: 'NEWEST' });
    const cleared = await saveProductBrand(ctx, { input: { id, name: 'Keep', description: null } }, all);
    expect(cleared).toMatchObject({ description: null, orderType: 'NEWEST' });
  });

  it('keeps sales channels in the order sent, each once, and those deleted since', async () => {
    const channel = async () =>
      (await saveSalesChannel(ctx, { input: { name: 'Channel', type: 'POS' } }, { id: {} })).id;
    const [a, b, c] = [await channel(), await channel(), await channel()];
    const { id, updatedAt } = await saveProductBrand(
      ctx,
      { input: { name: 'Channels', salesChannelIds: [c, a, c] } },
      all,
    );
    const save = async (input: object) =>
      await saveProductBrand(ctx, { input: { id, name: 'Channels', ...input } }, all);
    expect(await save({})).toMatchObject({ salesChannelIds: [c, a], updatedAt });
    await deleteSalesChannelList(ctx, { idList: [a, b] });
    expect(await save({ salesChannelIds: [a, c] })).toMatchObject({ salesChannelIds: [a, c] });
    await expect(save({ salesChannelIds: [a, b] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'SalesChannel', ids: [b], path: ['input', 'salesChannelIds', 1] },
    });
    expect(await save({ salesChannelIds: null })).toMatchObject({ salesChannelIds: [] });
  });

  it('refuses the name of another brand, but accepts that of a deleted one', async () => {
    const { id } = await saveProductBrand(ctx, { input: { name: 'Taken' } }, all);
    await expect(saveProductBrand(ctx, { input: { name: 'Taken' } }, all)).rejects.toMatchObject({ code: 'CONFLICT' });
    await deleteProductBrandList(ctx, { idList: [id] });
    await expect(saveProductBrand(ctx, { input: { name: 'Taken' } }, all)).resolves.toMatchObject({ name: 'Taken' });
    await expect(saveProductBrand(ctx, { input: { id, name: 'Taken', deleted: false } }, all)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it.each([newId(), 'no id at all', ''])('answers NOT_FOUND for the unknown id %j', async (id) => {
    await expect(saveProductBrand(ctx, { input: { id, name: 'x' } }, all)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'ProductBrand', ids: [id] },
    });
  });

  it('creates when the id is null', async () => {
    await expect(saveProductBrand(ctx, { input: { id: null, name: 'Null id' } }, all)).resolves.toMatchObject({
      name: 'Null id',
    });
  });

  it('names the invalid member', async () => {
    const input = {
      name: ' ',
      salesChannelIds: [],
      description: 'x'.repeat(65_537),
      translations: [{ locale: 'de' }, { locale: 'de' }],
    };
    await expect(saveProductBrand(ctx, { input }, all)).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: {
        issues: [
          { path: ['input', 'name'] },
          { path: ['input', 'description'] },
          { path: ['input', 'translations', 1, 'locale'] },
        ],
      },
    });
    await expect(
      saveProductBrand(ctx, { input: { name: 'x', salesChannelIds: [newId()] } }, all),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'SalesChannel', path: ['input', 'salesChannelIds', 0] },
    });
  });

  it('appends the next free number to a used slug, for concurrent saves too', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `Same${'!'.repeat(index + 1)}`);
    const brands = await Promise.all(names.map((name) => saveProductBrand(ctx, { input: { name } }, all)));
    const slugs = brands.map(({ metaData }) => metaData!.slug).sort();
    expect(slugs).toEqual(['same', ...Array.from({ length: 11 }, (_, index) => `same-${index + 2}`)].sort());
  });

  it('changes nothing when a brand is sent back as it was read', async () => {
    const before = await saveProductBrand(
      ctx,
      { input: { name: 'Round', metaData: { slug: 'round-trip', pageTitle: 'T' } } },
      all,
    );
    expect(await saveProductBrand(ctx, { input: before as never }, all)).toEqual(before);
  });
});

describe('listProductBrand', () => {
  it("lists only the merchant's own brands, pages by page and by cursor", async () => {
    const own = await createContext(database.db);
    for (const name of ['a', 'b', 'c', 'd', 'e']) await saveProductBrand(own, { input: { name } }, all);
    await saveProductBrand(stranger, { input: { name: 'foreign' } }, all);
    const names = async (args: object) => (await listProductBrand(own, args, all)).map(({ name }) => name);
    expect((await names({})).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await names({ pagination: { limit: 2, page: 3 } })).toHaveLength(1);
    expect(await names({ pagination: { limit: 2, page: 4 } })).toEqual([]);
  });

  // docs/reliability-tests.md: 50
  it('filters', async () => {
    const own = await createContext(database.db);
    const saved: Record<string, string> = {};
    for (const name of ['50%', 'Café', 'under_score', 'back\\slash', 'plain']) {
      saved[name] = (await saveProductBrand(own, { input: { name } }, all)).id;
    }
    const names = async (args: object) => (await listProductBrand(own, args, all)).map(({ name }) => name).sort();
    expect(await names({ name: { like: '%' } })).toEqual(['50%']);
    expect(await names({ name: { like: '_' } })).toEqual(['under_score']);
    expect(await names({ name: { like: '\\' } })).toEqual(['back\\slash']);
    expect(await names({ search: 'CAFE' })).toEqual(['Café']);
    for (const padded of [' caf ', '\tcafe\u0301\n'])
      expect(await names({ name: { like: padded } }), padded).toEqual(['Café']);
    expect(await names({ name: { in: ['plain', '50%'], ne: 'plain' } })).toEqual(['50%']);
    expect(await names({ name: { nin: ['plain', '50%', 'Café'] } })).toEqual(['back\\slash', 'under_score']);
    expect(await names({ id: { eq: saved.plain } })).toEqual(['plain']);
    expect(await names({ id: { eq: 'nonsense' } })).toEqual([]);
    expect(await names({ id: { in: [] } })).toEqual([]);
    expect(await names({ updatedAt: { gt: Date.now() + 60_000 } })).toEqual([]);
    expect(await names({ updatedAt: { lte: Date.now() + 60_000 } })).toHaveLength(5);
  });

  it('finds a part in capitals that ends in sigma', async () => {
    const own = await createContext(database.db);
    await saveProductBrand(own, { input: { name: 'Κόσμος' } }, all);
    for (const part of ['ΚΟΣ', 'ΚΌΣΜΟΣ', 'κοσμοσ', 'κοσμος']) {
      expect(await listProductBrand(own, { search: part }, all), part).toHaveLength(1);
      expect(await listProductBrand(own, { name: { like: part } }, all), part).toHaveLength(1);
    }
  });

  it('refuses pages outside the limits', async () => {
    for (const pagination of [{ limit: 0 }, { limit: 201 }, { page: 0 }, { after: 'x' }]) {
      await expect(listProductBrand(ctx, { pagination }, all)).rejects.toMatchObject({
        code: 'ARGUMENT_VALIDATION_ERROR',
      });
    }
  });
});

describe('deleteProductBrandList', () => {
  // docs/reliability-tests.md: 11
  it("deletes all or nothing, and never another merchant's", async () => {
    const { id } = await saveProductBrand(ctx, { input: { name: 'Mine' } }, all);
    const foreign = await saveProductBrand(stranger, { input: { name: 'Foreign' } }, all);
    for (const unknown of [foreign.id, newId(), 'x']) {
      await expect(deleteProductBrandList(ctx, { idList: [id, unknown] })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { ids: [unknown] },
      });
    }
    expect(await listProductBrand(ctx, { id: { eq: id } }, all)).toHaveLength(1);
    await expect(deleteProductBrandList(ctx, { idList: [id, id] })).resolves.toBe(true);
    await expect(deleteProductBrandList(ctx, { idList: [id] })).resolves.toBe(true);
    expect(await listProductBrand(ctx, { id: { eq: id } }, all)).toHaveLength(0);
    expect(await listProductBrand(ctx, { id: { eq: id }, includeDeleted: true }, all)).toMatchObject([
      { deleted: true },
    ]);
    expect(await listProductBrand(stranger, { id: { eq: foreign.id } }, all)).toHaveLength(1);
  });
});

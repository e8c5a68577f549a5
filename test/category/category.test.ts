import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteCategoryList } from '../../src/category/deleteCategoryList.ts';
import { listCategory } from '../../src/category/listCategory.ts';
import { saveCategory } from '../../src/category/saveCategory.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { Selection } from '../../src/db/read/projection.ts';
import type { CommerceError } from '../../src/errors.ts';
import type { Category, CategoryInput } from '../../src/graphql/generated/types.ts';
import { deleteSalesChannelList } from '../../src/sales-channel/deleteSalesChannelList.ts';
import { saveSalesChannel } from '../../src/sales-channel/saveSalesChannel.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const MAX_LEVELS = 50;

const times: Selection = { createdAt: {}, updatedAt: {}, deleted: {} };
const metaData: Selection = { id: {}, slug: {}, pageTitle: {}, targetId: {}, targetType: {}, ...times };
const all: Selection = {
  id: {},
  name: {},
  categoryPath: {},
  conditions: {},
  description: {},
  imageId: {},
  isAutomated: {},
  orderType: {},
  parentId: {},
  salesChannelIds: {},
  salesChannels: { id: {}, status: {} },
  shouldMatchAllConditions: {},
  translations: {},
  metaData,
  ...times,
  categoryPathItems: {
    id: {},
    name: {},
    description: {},
    imageId: {},
    isAutomated: {},
    metaData,
    translations: {},
    ...times,
  },
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

function save(input: Partial<CategoryInput>, by = ctx): Promise<Category> {
  return saveCategory(by, { input: { name: 'Category', ...input } }, all);
}

async function read(id: string, by = ctx): Promise<Category> {
  const [category] = await listCategory(by, { id: { eq: id }, includeDeleted: true }, all);
  return category!;
}

async function pathOf(id: string): Promise<string[] | null | undefined> {
  return (await read(id)).categoryPath;
}

/** Saves categories, each the child of the one before. */
async function chain(length: number, parentId: string | null = null): Promise<string[]> {
  const ids: string[] = [];
  for (let level = 0; level < length; level++) ids.push((await save({ parentId: ids.at(-1) ?? parentId })).id);
  return ids;
}

describe('saveCategory', () => {
  it('creates a root with what is sent and a slug from its name', async () => {
    const conditions = [
      { conditionType: 'PRODUCT_NAME' as const, method: 'NOT_IN' as const, valueList: ['a "b"'] },
      { conditionType: 'CATEGORY' as const, valueList: [] },
    ];
    const category = await save({
      name: ' Çanta ',
      description: 'text',
      imageId: 'image',
      isAutomated: true,
      orderType: 'NAME_ASC',
      shouldMatchAllConditions: false,
      conditions,
      translations: [{ locale: 'de', name: 'Tasche' }],
    });
    expect(category).toMatchObject({
      name: 'Çanta',
      parentId: null,
      categoryPath: [],
      categoryPathItems: [],
      salesChannelIds: [],
      salesChannels: [],
      conditions,
      deleted: false,
      description: 'text',
      imageId: 'image',
      isAutomated: true,
      orderType: 'NAME_ASC',
      shouldMatchAllConditions: false,
      translations: [{ locale: 'de', name: 'Tasche' }],
      metaData: { slug: 'canta', targetId: category.id, targetType: 'CATEGORY' },
    });
  });

  it('returns the ancestors, the root first, as ids and as records', async () => {
    const root = await save({ name: 'Root', description: 'of all', translations: [{ locale: 'tr', name: 'Kök' }] });
    const middle = await save({ name: 'Middle', parentId: root.id, isAutomated: true });
    const leaf = await save({ name: 'Leaf', parentId: middle.id });
    expect(leaf.categoryPath).toEqual([root.id, middle.id]);
    const { id, name, description, imageId, isAutomated, metaData, translations, createdAt, updatedAt, deleted } = root;
    expect(leaf.categoryPathItems![0]).toEqual({
      id,
      name,
      description,
      imageId,
      isAutomated,
      metaData,
      translations,
      createdAt,
      updatedAt,
      deleted,
    });
    expect(leaf.categoryPathItems![1]).toMatchObject({
      id: middle.id,
      name: 'Middle',
      isAutomated: true,
      metaData: { targetId: middle.id },
    });
  });

  it('moves the subcategories with a category', async () => {
    const [a, b, c, d] = await chain(4);
    const [x, y] = await chain(2);
    const before = await read(d!);
    await save({ id: b, parentId: y });
    expect(await pathOf(b!)).toEqual([x, y]);
    expect(await pathOf(c!)).toEqual([x, y, b]);
    expect(await pathOf(d!)).toEqual([x, y, b, c]);
    expect((await read(d!)).updatedAt).toBeGreaterThan(before.updatedAt!);
    await save({ id: b, parentId: null });
    expect(await pathOf(d!)).toEqual([b, c]);
    await save({ id: b, parentId: a });
    expect(await pathOf(d!)).toEqual([a, b, c]);
    await save({ id: b, name: 'Stays' });
    expect(await read(b!)).toMatchObject({ parentId: a, categoryPath: [a] });
  });

  it('refuses a parent that is the category itself or below it', async () => {
    const [a, b, c] = await chain(3);
    for (const parentId of [a!, b!, c!]) {
      await expect(save({ id: a, name: 'Must not be', parentId })).rejects.toMatchObject({
        code: 'ARGUMENT_VALIDATION_ERROR',
        extensions: { issues: [{ path: ['input', 'parentId'] }] },
      });
    }
    expect(await read(a!)).toMatchObject({ name: 'Category', parentId: null });
    expect(await pathOf(c!)).toEqual([a, b]);
  });

  it('refuses an unknown or deleted parent and one of another merchant', async () => {
    const foreign = await save({}, stranger);
    const { id: deleted } = await save({});
    await deleteCategoryList(ctx, { idList: [deleted] });
    const { id } = await save({});
    for (const parentId of [newId(), 'x', '', foreign.id, deleted]) {
      for (const saved of [id, undefined]) {
        await expect(save({ id: saved, parentId })).rejects.toMatchObject({
          code: 'NOT_FOUND',
          extensions: { type: 'Category', ids: [parentId], path: ['input', 'parentId'] },
        });
      }
    }
  });

  it('keeps a parent that is deleted later, also if it is sent again', async () => {
    const [a, b, c] = await chain(3);
    await deleteCategoryList(ctx, { idList: [a!, b!] });
    expect(await save({ id: c, parentId: b })).toMatchObject({
      parentId: b,
      categoryPath: [a, b],
      categoryPathItems: [{ deleted: true }, { deleted: true }],
    });
  });

  it('allows 50 levels of categories and no more', async () => {
    const ids = await chain(MAX_LEVELS);
    expect(await pathOf(ids.at(-1)!)).toEqual(ids.slice(0, -1));
    const tooDeep = { code: 'ARGUMENT_VALIDATION_ERROR', extensions: { issues: [{ path: ['input', 'parentId'] }] } };
    await expect(save({ parentId: ids.at(-1) })).rejects.toMatchObject(tooDeep);
    const [top, below] = await chain(2);
    await expect(save({ id: top, parentId: ids.at(-2) })).rejects.toMatchObject(tooDeep);
    await save({ id: top, parentId: ids.at(-3) });
    expect(await pathOf(below!)).toHaveLength(MAX_LEVELS - 1);
  });

  it('allows no cycle by concurrent moves', async () => {
    for (let round = 0; round < 20; round++) {
      const [a, b, c] = [await save({}), await save({}), await save({})].map(({ id }) => id);
      const moves = await Promise.allSettled([
        save({ id: a, parentId: b }),
        save({ id: b, parentId: c }),
        save({ id: c, parentId: a }),
      ]);
      const codes = moves
        .map((move) => (move.status === 'rejected' ? (move.reason as CommerceError).code : 'saved'))
        .sort();
      expect(codes).toEqual(['ARGUMENT_VALIDATION_ERROR', 'saved', 'saved']);
    }
    expect(await wrongPaths()).toEqual([]);
  });

  it('sets the new path for a category created while its parent is moved', async () => {
    const [x, y] = [await save({}), await save({})];
    const [root, middle] = await chain(2);
    for (let round = 0; round < 10; round++) {
      await Promise.all([
        save({ id: root, parentId: round % 2 ? x!.id : y!.id }),
        save({ parentId: middle }),
        save({ id: middle, name: `Round ${round}` }),
      ]);
    }
    expect(await wrongPaths()).toEqual([]);
  });

  it('stores salesChannelIds and salesChannels independently, each in its order', async () => {
    const channel = async () =>
      (await saveSalesChannel(ctx, { input: { name: 'Shop', type: 'STOREFRONT' } }, { id: {} })).id;
    const [a, b, c] = [await channel(), await channel(), await channel()];
    const { id } = await save({
      salesChannelIds: [b, a, b],
      salesChannels: [
        { id: c, status: 'HIDDEN' },
        { id: a, status: 'VISIBLE' },
      ],
    });
    expect(await read(id)).toMatchObject({
      salesChannelIds: [b, a],
      salesChannels: [
        { id: c, status: 'HIDDEN' },
        { id: a, status: 'VISIBLE' },
      ],
    });
    expect(await save({ id })).toMatchObject({ salesChannelIds: [b, a], salesChannels: [{ id: c }, { id: a }] });
    expect(await save({ id, salesChannelIds: [a] })).toMatchObject({
      salesChannelIds: [a],
      salesChannels: [{ id: c, status: 'HIDDEN' }, { id: a }],
    });
    expect(await save({ id, salesChannels: [{ id: b, status: 'PASSIVE' }] })).toMatchObject({
      salesChannelIds: [a],
      salesChannels: [{ id: b, status: 'PASSIVE' }],
    });
    await deleteSalesChannelList(ctx, { idList: [b, c] });
    expect(await save({ id, salesChannelIds: [b] })).toMatchObject({
      salesChannelIds: [b],
      salesChannels: [{ id: b, status: 'PASSIVE' }],
    });
    expect(await save({ id, salesChannelIds: null, salesChannels: null })).toMatchObject({
      salesChannelIds: [],
      salesChannels: [],
    });
    await expect(save({ id, salesChannelIds: [a, b] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'SalesChannel', ids: [b], path: ['input', 'salesChannelIds', 1] },
    });
    await expect(save({ salesChannels: [{ id: newId(), status: 'VISIBLE' }] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'SalesChannel', path: ['input', 'salesChannels', 0, 'id'] },
    });
  });

  it('keeps what is left out and clears what is null', async () => {
    const { id } = await save({
      description: 'text',
      isAutomated: true,
      conditions: [{ conditionType: 'PRODUCT_NAME', valueList: ['x'] }],
      metaData: { slug: 'kept', pageTitle: 'T' },
    });
    expect(await save({ id })).toMatchObject({
      description: 'text',
      isAutomated: true,
      conditions: [{ valueList: ['x'] }],
      metaData: { slug: 'kept', pageTitle: 'T' },
    });
    expect(await save({ id, description: null, isAutomated: null, conditions: null })).toMatchObject({
      description: null,
      isAutomated: null,
      conditions: null,
    });
  });

  it('changes nothing when a category is sent back as it was read', async () => {
    const channel = await saveSalesChannel(ctx, { input: { name: 'Shop', type: 'STOREFRONT' } }, { id: {} });
    const parent = await save({});
    const before = await save({
      parentId: parent.id,
      salesChannelIds: [channel.id],
      salesChannels: [{ id: channel.id, status: 'PASSIVE' }],
      conditions: [{ conditionType: 'CREATED_AT', method: null, valueList: ['1'] }],
      translations: [{ locale: 'de', description: null }],
    });
    expect(await save(before as unknown as CategoryInput)).toEqual(before);
  });

  it('accepts several categories with the same name', async () => {
    const { id } = await save({ name: 'Again' });
    await save({ name: 'Again' });
    await save({ name: 'Again', parentId: id });
    expect(await listCategory(ctx, { name: { eq: 'Again' } }, all)).toHaveLength(3);
  });

  it('names every invalid member', async () => {
    const input: Partial<CategoryInput> = {
      name: '',
      description: '\ud800',
      imageId: 'x'.repeat(256),
      metaData: { slug: ' ' },
      conditions: [{ conditionType: 'CATEGORY', valueList: ['x', 'x'.repeat(256)] }],
      salesChannels: [
        { id: 'a', status: 'HIDDEN' },
        { id: 'a', status: 'VISIBLE' },
      ],
    };
    await expect(save(input)).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: {
        issues: [
          { path: ['input', 'name'] },
          { path: ['input', 'conditions', 0, 'valueList', 1] },
          { path: ['input', 'description'] },
          { path: ['input', 'imageId'] },
          { path: ['input', 'metaData', 'slug'] },
          { path: ['input', 'salesChannels', 1, 'id'] },
        ],
      },
    });
  });

  it("answers NOT_FOUND for an id that is unknown, no id, or another merchant's", async () => {
    const foreign = await save({ name: 'Foreign' }, stranger);
    for (const id of [newId(), 'x', '', foreign.id]) {
      for (const parentId of [undefined, null]) {
        await expect(save({ id, parentId })).rejects.toMatchObject({
          code: 'NOT_FOUND',
          extensions: { type: 'Category', ids: [id], path: ['input', 'id'] },
        });
      }
    }
    expect(await read(foreign.id, stranger)).toEqual(foreign);
  });
});

describe('listCategory', () => {
  it("filters the merchant's own categories, all conditions together", async () => {
    const own = await createContext(database.db);
    const shoes = await save({ name: 'Shoes' }, own);
    const boots = await save({ name: 'Boots', parentId: shoes.id }, own);
    const rain = await save({ name: 'Rain boots', parentId: boots.id }, own);
    const hats = await save({ name: 'Hüte' }, own);
    const names = async (args: object) => (await listCategory(own, args, all)).map(({ name }) => name).sort();
    expect(await names({})).toEqual(['Boots', 'Hüte', 'Rain boots', 'Shoes']);
    expect(await names({ categoryPath: { in: [shoes.id] } })).toEqual(['Boots', 'Rain boots']);
    expect(await names({ categoryPath: { in: [boots.id, hats.id, 'x'] } })).toEqual(['Rain boots']);
    expect(await names({ categoryPath: { in: [] } })).toEqual([]);
    expect(await names({ categoryPath: { in: null } })).toHaveLength(4);
    expect(await names({ categoryPath: { in: [shoes.id] }, search: 'RAIN' })).toEqual(['Rain boots']);
    expect(await names({ search: 'hute' })).toEqual(['Hüte']);
    expect(await names({ search: '%' })).toEqual([]);
    expect(await names({ name: { in: ['Boots', 'Shoes'], ne: 'Boots' } })).toEqual(['Shoes']);
    expect(await names({ id: { in: [rain.id, newId()] } })).toEqual(['Rain boots']);
    expect(await names({ updatedAt: { gte: hats.updatedAt } })).toContain('Hüte');
    expect(await listCategory(stranger, { categoryPath: { in: [shoes.id] } }, all)).toEqual([]);
    await deleteCategoryList(own, { idList: [boots.id] });
    expect(await names({ categoryPath: { in: [shoes.id] } })).toEqual(['Rain boots']);
    expect(await names({ categoryPath: { in: [shoes.id] }, includeDeleted: true })).toEqual(['Boots', 'Rain boots']);
  });
});

describe('deleteCategoryList', () => {
  it("deletes only the given categories, all or nothing, and never another merchant's", async () => {
    const [parent, child] = await chain(2);
    const foreign = await save({}, stranger);
    for (const unknown of [foreign.id, newId(), 'x']) {
      await expect(deleteCategoryList(ctx, { idList: [parent!, unknown] })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'Category', ids: [unknown] },
      });
    }
    expect(await read(parent!)).toMatchObject({ deleted: false });
    await expect(deleteCategoryList(ctx, { idList: [parent!] })).resolves.toBe(true);
    expect(await listCategory(ctx, { id: { eq: parent } }, all)).toEqual([]);
    expect(await read(child!)).toMatchObject({ deleted: false, parentId: parent, categoryPath: [parent] });
    expect(await save({ id: parent, deleted: false })).toMatchObject({ deleted: false });
  });
});

/** Categories whose path differs from the chain of their parents. */
async function wrongPaths(): Promise<unknown[]> {
  const rows = await database.owner.execute(sql`
    select child.id from category child left join category parent on parent.merchant_id = child.merchant_id and parent.id = child.parent_id
    where child.merchant_id = ${ctx.merchantId} and (
      child.path <> case when parent.id is null then '{}' else parent.path || parent.id end or child.id = any(child.path))`);
  return [...rows];
}

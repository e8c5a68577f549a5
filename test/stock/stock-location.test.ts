import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { Selection } from '../../src/db/read/projection.ts';
import { deleteStockLocationList } from '../../src/stock/deleteStockLocationList.ts';
import { listStockLocation } from '../../src/stock/listStockLocation.ts';
import { saveStockLocation } from '../../src/stock/saveStockLocation.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const all: Selection = {
  id: {},
  name: {},
  type: {},
  description: {},
  address: {},
  outOfStockMailList: {},
  isRemindOutOfStockEnabled: {},
  deliveryTime: {},
  translations: {},
  createdAt: {},
  updatedAt: {},
  deleted: {},
};

const address = {
  address: 'Hauptstraße 1',
  phone: '+49 30 1',
  postalCode: '10115',
  city: { id: 'berlin', code: 'B', name: 'Berlin' },
  country: { id: 'de', code: 'DEU', iso2: 'DE', iso3: 'DEU', name: 'Deutschland' },
  district: { name: 'Mitte' },
  state: null,
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

describe('saveStockLocation', () => {
  it('creates a stock location with all its members', async () => {
    const members = {
      type: 'PHYSICAL',
      description: 'Lager "Nord"',
      address,
      outOfStockMailList: ['a,"b"@example.com', '{c\\}', ''],
      isRemindOutOfStockEnabled: true,
      deliveryTime: 'WITHIN_TWO_HOURS',
      translations: [{ locale: 'tr', description: 'Depo' }],
    } as const;
    expect(await save({ name: ' Berlin ', ...members } as never)).toMatchObject({
      name: 'Berlin',
      ...members,
      deleted: false,
    });
  });

  it('keeps what is left out, clears what is null and replaces the whole address', async () => {
    const { id } = await save({
      name: 'Keep',
      description: 'text',
      address,
      outOfStockMailList: ['a,"b"@example.com'],
    });
    expect(await save({ id, name: 'Keep' })).toMatchObject({
      description: 'text',
      address,
      outOfStockMailList: ['a,"b"@example.com'],
    });
    expect((await save({ id, name: 'Keep', address: { phone: '1' } })).address).toEqual({ phone: '1' });
    expect(await save({ id, name: 'Keep', address: null, outOfStockMailList: null })).toMatchObject({
      description: 'text',
      address: null,
      outOfStockMailList: null,
    });
  });

  it.each([newId(), 'no id at all', ''])('answers NOT_FOUND for the unknown id %j', async (id) => {
    await expect(save({ id, name: 'x' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'StockLocation', ids: [id], path: ['input', 'id'] },
    });
  });

  it('changes nothing when sent back as it was read', async () => {
    const before = await save({ name: 'Round', address, outOfStockMailList: [], translations: [{ locale: 'tr' }] });
    expect(await saveStockLocation(ctx, { input: before as never }, all)).toEqual(before);
  });

  it('names the invalid members', async () => {
    const input = {
      name: ' ',
      description: 'x'.repeat(65_537),
      address: { ...address, city: { name: 'x'.repeat(256) }, country: { iso2: '\ud800' } },
      outOfStockMailList: ['fine@example.com', 'a\0'],
      translations: [{ locale: 'tr' }, { locale: 'tr' }],
    };
    await expect(save(input)).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: {
        issues: [
          { path: ['input', 'name'] },
          { path: ['input', 'description'] },
          { path: ['input', 'address', 'city', 'name'] },
          { path: ['input', 'address', 'country', 'iso2'] },
          { path: ['input', 'outOfStockMailList', 1] },
          { path: ['input', 'translations', 1, 'locale'] },
        ],
      },
    });
    const largest = {
      name: 'n'.repeat(255),
      description: 'x'.repeat(65_536),
      address: { city: { name: 'x'.repeat(255) } },
    };
    await expect(save(largest)).resolves.toMatchObject(largest);
  });
});

describe('listStockLocation', () => {
  it("lists only the merchant's own stock locations, page by page", async () => {
    const own = await createContext(database.db);
    for (const name of ['a', 'b', 'c']) await saveStockLocation(own, { input: { name } }, all);
    const names = async (args: object) => (await listStockLocation(own, args, all)).map(({ name }) => name);
    expect((await names({})).sort()).toEqual(['a', 'b', 'c']);
    expect([
      ...(await names({ pagination: { limit: 2 } })),
      ...(await names({ pagination: { limit: 2, page: 2 } })),
    ]).toEqual(await names({}));
    await expect(names({ pagination: { page: 0 } })).rejects.toMatchObject({ code: 'ARGUMENT_VALIDATION_ERROR' });
  });

  it('filters by id, name and time of change', async () => {
    const own = await createContext(database.db);
    const saved: Record<string, string> = {};
    for (const name of ['İzmir', 'Iğdır', 'depot_1'])
      saved[name] = (await saveStockLocation(own, { input: { name } }, all)).id;
    const names = async (args: object) => (await listStockLocation(own, args, all)).map(({ name }) => name).sort();
    expect(await names({ id: { eq: saved.depot_1, ne: newId() } })).toEqual(['depot_1']);
    expect(await names({ name: { like: 'izmir' } })).toEqual(['İzmir']);
    expect(await names({ name: { like: '_' } })).toEqual(['depot_1']);
    expect(await names({ updatedAt: { gt: Date.now() + 60_000 } })).toEqual([]);
  });
});

describe('deleteStockLocationList', () => {
  it("deletes all or nothing, and never another merchant's", async () => {
    const { id } = await save({ name: 'Mine' });
    const foreign = await saveStockLocation(stranger, { input: { name: 'Foreign' } }, all);
    for (const unknown of [foreign.id, newId(), 'x']) {
      await expect(deleteStockLocationList(ctx, { idList: [id, unknown] })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'StockLocation', ids: [unknown] },
      });
    }
    expect(await listStockLocation(ctx, { id: { eq: id } }, all)).toHaveLength(1);
    await expect(deleteStockLocationList(ctx, { idList: [id] })).resolves.toBe(true);
    await expect(deleteStockLocationList(ctx, { idList: [id] })).resolves.toBe(true);
    expect(await listStockLocation(ctx, { id: { eq: id } }, all)).toEqual([]);
    expect(await listStockLocation(ctx, { id: { eq: id }, includeDeleted: true }, all)).toMatchObject([
      { deleted: true },
    ]);
    expect(await listStockLocation(stranger, { id: { eq: foreign.id } }, all)).toHaveLength(1);
  });
});

function save(input: Parameters<typeof saveStockLocation>[1]['input']) {
  return saveStockLocation(ctx, { input }, all);
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { Selection } from '../../src/db/read/projection.ts';
import { deletePriceListList } from '../../src/price-list/deletePriceListList.ts';
import { listPriceList } from '../../src/price-list/listPriceList.ts';
import { savePriceList } from '../../src/price-list/savePriceList.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const all: Selection = {
  id: {},
  name: {},
  currency: {},
  currencyCode: {},
  currencySymbol: {},
  type: {},
  addProductsAutomatically: {},
  ruleList: {},
  createdAt: {},
  updatedAt: {},
  deleted: {},
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

describe('savePriceList', () => {
  it('creates a price list with its rules', async () => {
    const base = await save({ name: 'Base', currency: 'TRY' });
    const members = {
      currency: 'EUR',
      currencyCode: 'EUR',
      currencySymbol: '€',
      type: 'DYNAMIC_RATE',
      addProductsAutomatically: false,
      ruleList: [rule(base.id), rule(null)],
    } as const;
    expect(await save({ name: ' Europe ', ...members } as never)).toMatchObject({
      name: 'Europe',
      ...members,
      deleted: false,
    });
  });

  it('keeps what is left out, clears what is null and replaces the rules that are sent', async () => {
    const { id } = await save({
      name: 'Keep',
      currency: 'EUR',
      currencySymbol: '€',
      type: 'MANUAL',
      ruleList: [rule(null), rule(null)],
    });
    expect(await save({ id, name: 'Keep', currency: 'USD' })).toMatchObject({
      currency: 'USD',
      currencySymbol: '€',
      type: 'MANUAL',
    });
    expect((await save({ id, name: 'Keep', currency: 'USD', ruleList: [rule(id)] })).ruleList).toMatchObject([
      { basePriceListId: id },
    ]);
    expect(await save({ id, name: 'Keep', currency: 'USD', type: null, ruleList: null })).toMatchObject({
      type: null,
      ruleList: null,
      currencySymbol: '€',
    });
  });

  it.each([newId(), 'no id at all', ''])('answers NOT_FOUND for the unknown id %j', async (id) => {
    await expect(save({ id, name: 'x', currency: 'EUR' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'PriceList', ids: [id], path: ['input', 'id'] },
    });
  });

  it('answers NOT_FOUND, with the path, for base lists that are unknown, of another merchant or deleted', async () => {
    const foreign = await savePriceList(stranger, { input: { name: 'Foreign', currency: 'EUR' } }, all);
    const gone = await save({ name: 'Gone', currency: 'EUR' });
    const user = await save({ name: 'User', currency: 'EUR', ruleList: [rule(gone.id)] });
    await deletePriceListList(ctx, { idList: [gone.id] });
    for (const id of [newId(), '', 'x', foreign.id, gone.id]) {
      await expect(save({ name: 'x', currency: 'EUR', ruleList: [rule(null), rule(id)] })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'PriceList', ids: [id], path: ['input', 'ruleList', 1, 'basePriceListId'] },
      });
    }
    await expect(
      save({ id: user.id, name: 'User', currency: 'EUR', ruleList: [rule(gone.id)] }),
    ).resolves.toMatchObject({ id: user.id });
  });

  it('changes nothing when sent back as it was read', async () => {
    const before = await save({
      name: 'Round',
      currency: 'EUR',
      addProductsAutomatically: true,
      ruleList: [rule(null)],
    });
    expect(await savePriceList(ctx, { input: before as never }, all)).toEqual(before);
  });

  it('names the invalid members', async () => {
    const wrongRule = {
      ...rule(null),
      currencyRateSettings: { amount: -1, type: 'CUSTOM_RATE' },
      currencySettings: { roundingFormat: '9'.repeat(256) },
    };
    await expect(
      save({ name: '', currency: 'x'.repeat(256), ruleList: [rule(null), wrongRule] } as never),
    ).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: {
        issues: [
          { path: ['input', 'name'] },
          { path: ['input', 'currency'] },
          { path: ['input', 'ruleList', 1, 'currencyRateSettings', 'amount'] },
          { path: ['input', 'ruleList', 1, 'currencySettings', 'roundingFormat'] },
        ],
      },
    });
  });
});

describe('listPriceList', () => {
  it("lists only the merchant's own price lists, page by page", async () => {
    const own = await createContext(database.db);
    for (const name of ['a', 'b', 'c']) await savePriceList(own, { input: { name, currency: 'EUR' } }, all);
    const names = async (args: object) => (await listPriceList(own, args, all)).map(({ name }) => name);
    expect((await names({})).sort()).toEqual(['a', 'b', 'c']);
    expect([
      ...(await names({ pagination: { limit: 2 } })),
      ...(await names({ pagination: { limit: 2, page: 2 } })),
    ]).toEqual(await names({}));
    await expect(names({ pagination: { limit: 201 } })).rejects.toMatchObject({ code: 'ARGUMENT_VALIDATION_ERROR' });
  });

  it('filters by id, name and time of change', async () => {
    const own = await createContext(database.db);
    const saved: Record<string, string> = {};
    for (const name of ['Großhandel', 'retail'])
      saved[name] = (await savePriceList(own, { input: { name, currency: 'EUR' } }, all)).id;
    const names = async (args: object) => (await listPriceList(own, args, all)).map(({ name }) => name).sort();
    expect(await names({ id: { nin: [saved.retail] } })).toEqual(['Großhandel']);
    expect(await names({ name: { like: 'grosshandel' } })).toEqual(['Großhandel']);
    expect(await names({ name: { in: ['retail', 'x'] } })).toEqual(['retail']);
    expect(await names({ updatedAt: { gt: Date.now() + 60_000 } })).toEqual([]);
  });
});

describe('deletePriceListList', () => {
  it("deletes all or nothing, and never another merchant's", async () => {
    const { id } = await save({ name: 'Mine', currency: 'EUR' });
    const foreign = await savePriceList(stranger, { input: { name: 'Foreign', currency: 'EUR' } }, all);
    for (const unknown of [foreign.id, newId(), 'x']) {
      await expect(deletePriceListList(ctx, { idList: [id, unknown] })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'PriceList', ids: [unknown] },
      });
    }
    expect(await listPriceList(ctx, { id: { eq: id } }, all)).toHaveLength(1);
    await expect(deletePriceListList(ctx, { idList: [id] })).resolves.toBe(true);
    await expect(deletePriceListList(ctx, { idList: [id] })).resolves.toBe(true);
    expect(await listPriceList(ctx, { id: { eq: id } }, all)).toEqual([]);
    expect(await listPriceList(ctx, { id: { eq: id }, includeDeleted: true }, all)).toMatchObject([{ deleted: true }]);
    expect(await listPriceList(stranger, { id: { eq: foreign.id } }, all)).toHaveLength(1);
  });
});

function save(input: Parameters<typeof savePriceList>[1]['input']) {
  return savePriceList(ctx, { input }, all);
}

function rule(basePriceListId: string | null) {
  return {
    basePriceListId,
    currencyRateSettings: { amount: 1.05, type: 'CUSTOM_RATE' as const },
    currencySettings: { roundingFormat: '0.99' },
    rules: [{ amount: 10, amountType: 'RATIO' as const, operationType: 'INCREASE' as const }],
  };
}

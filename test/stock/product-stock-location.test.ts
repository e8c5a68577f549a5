import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { Selection } from '../../src/db/read/projection.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { deleteStockLocationList } from '../../src/stock/deleteStockLocationList.ts';
import { listProductStockLocation } from '../../src/stock/listProductStockLocation.ts';
import { saveProductStockLocations } from '../../src/stock/saveProductStockLocations.ts';
import { saveStockLocation } from '../../src/stock/saveStockLocation.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Place, places } from './places.ts';

const row: Selection = {
  id: {},
  productId: {},
  variantId: {},
  stockLocationId: {},
  stockCount: {},
  createdAt: {},
  updatedAt: {},
  deleted: {},
};
const page: Selection = { count: {}, data: row, hasNext: {}, limit: {}, page: {}, endCursor: {} };

let database: TestDatabase;
let ctx: Context;
let stranger: Context;

beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
  stranger = await createContext(database.db);
});
afterAll(() => database.drop());

describe('saveProductStockLocations', () => {
  it('sets absolute counts, keeps the id of a row and adds the rows that are missing', async () => {
    const [first, second] = await places(ctx, 2);
    await expect(save(ctx, [{ ...first!, stockCount: 3 }])).resolves.toBe(true);
    const [before] = await rows(ctx);
    await save(ctx, [
      { ...second!, stockCount: 0.1 },
      { ...first!, stockCount: 5 },
    ]);
    const after = await rows(ctx);
    expect(after).toHaveLength(2);
    expect(after.find(({ id }) => id === before!.id)).toEqual({
      ...before,
      stockCount: 5,
      updatedAt: expect.any(Number),
    });
    expect(after.find(({ id }) => id !== before!.id)).toMatchObject({ ...second, stockCount: 0.1, deleted: false });
  });

  it("updates the product's total stock at once", async () => {
    const [place] = await places(ctx, 1);
    const other = {
      ...place!,
      stockLocationId: (await saveStockLocation(ctx, { input: { name: 'Shop' } }, { id: {} })).id,
    };
    const totalStock = async () =>
      (await listProduct(ctx, { id: { eq: place!.productId } }, { data: { totalStock: {} } })).data.map(
        ({ totalStock }) => totalStock,
      );
    expect(await totalStock()).toEqual([0]);
    await save(ctx, [
      { ...place!, stockCount: 0.1 },
      { ...other, stockCount: 0.2 },
    ]);
    expect(await totalStock()).toEqual([0.3]);
    await save(ctx, [
      { ...other, stockCount: -1e12 },
      { ...place!, stockCount: -1e12 },
    ]);
    expect(await totalStock()).toEqual([-2e12]);
  });

  it('accepts a row as it was read, an empty list, and no list', async () => {
    const [place] = await places(ctx, 1);
    await save(ctx, [{ ...place!, stockCount: -2 }]);
    const before = await rows(ctx);
    const { createdAt: _createdAt, updatedAt: _updatedAt, deleted: _deleted, ...read } = before[0]!;
    await expect(save(ctx, [read])).resolves.toBe(true);
    await expect(save(ctx, [])).resolves.toBe(true);
    for (const input of [{}, { productStockLocationInputs: null }])
      await expect(saveProductStockLocations(ctx, { input })).resolves.toBe(true);
    expect(await rows(ctx)).toEqual(before);
    await save(ctx, [{ ...read, stockCount: -3 }]);
    expect((await rows(ctx))[0]!.updatedAt).toBeGreaterThan(before[0]!.updatedAt!);
  });

  it('answers NOT_FOUND, with the path, for unknown ids and those of another merchant, and changes nothing', async () => {
    const [known, other] = await places(ctx, 2);
    const [foreign] = await places(stranger, 1);
    const types = { productId: 'Product', variantId: 'Variant', stockLocationId: 'StockLocation' };
    for (const [member, type] of Object.entries(types)) {
      for (const id of [newId(), 'x', '', foreign![member as keyof Place]]) {
        await expect(
          save(ctx, [
            { ...known!, stockCount: 1 },
            { ...other!, [member]: id, stockCount: 1 },
          ]),
        ).rejects.toMatchObject({
          code: 'NOT_FOUND',
          extensions: { type, ids: [id], path: ['input', 'productStockLocationInputs', 1, member] },
        });
      }
    }
    expect(await rows(ctx)).toEqual([]);
  });

  it("answers NOT_FOUND for a variant of another product and for an id that is not the row's", async () => {
    const [first, second] = await places(ctx, 2);
    await expect(save(ctx, [{ ...first!, variantId: second!.variantId, stockCount: 1 }])).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'Variant', ids: [second!.variantId] },
    });
    await save(ctx, [{ ...first!, stockCount: 1 }]);
    const { id: idOfFirst } = (await rows(ctx))[0]!;
    for (const [place, id] of [
      [second!, idOfFirst],
      [first!, newId()],
      [first!, 'x'],
      [second!, ''],
    ] as const) {
      await expect(save(ctx, [{ ...place, stockCount: 2, id }])).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'ProductStockLocation', ids: [id], path: ['input', 'productStockLocationInputs', 0, 'id'] },
      });
    }
    expect(await rows(ctx)).toMatchObject([{ ...first, stockCount: 1 }]);
  });

  it('updates the counts at a deleted location, but adds none there', async () => {
    const [first, second] = await places(ctx, 2);
    await save(ctx, [{ ...first!, stockCount: 1 }]);
    await deleteStockLocationList(ctx, { idList: [first!.stockLocationId] });
    await expect(save(ctx, [{ ...first!, stockCount: 0 }])).resolves.toBe(true);
    await expect(
      save(ctx, [{ ...second!, stockLocationId: first!.stockLocationId, stockCount: 1 }]),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'StockLocation' },
    });
    expect(await rows(ctx)).toMatchObject([{ ...first, stockCount: 0 }]);
  });

  it('names the error: two entries for one variant and location, counts out of bounds, more than 1,000 entries', async () => {
    const [place] = await places(ctx, 1);
    const [most, least] = [
      { ...place!, stockCount: 1e12 },
      { ...place!, variantId: 'x', stockCount: -1e12 - 1 },
    ];
    await expect(save(ctx, [most])).resolves.toBe(true);
    await expect(save(ctx, [most, least])).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['input', 'productStockLocationInputs', 1, 'stockCount'] }] },
    });
    await expect(save(ctx, [most, { ...most, stockCount: 1 }])).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['input', 'productStockLocationInputs', 1] }] },
    });
    const tooMany = Array.from({ length: 1_001 }, () => ({ ...most, variantId: newId() }));
    await expect(save(ctx, tooMany)).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['input', 'productStockLocationInputs'] }] },
    });
  });

  it('needs as many statements for 1,000 counts as for one', async () => {
    const many = (await places(ctx, 1_000)).map((place, stockCount) => ({ ...place, stockCount }));
    const one = await statementsOf(() => save(ctx, many.slice(0, 1)));
    const thousand = await statementsOf(() => save(ctx, many));
    expect(thousand).toEqual(one);
    expect((await listProductStockLocation(ctx, {}, { count: {} })).count).toBe(1_000);
  });

  it('serializes requests for the same counts in any order', async () => {
    const all = await places(ctx, 100);
    const requests = Array.from({ length: 8 }, (_, stockCount) => {
      const entries = all.map((place) => ({ ...place, stockCount }));
      return stockCount % 2 === 0 ? entries : entries.reverse();
    });
    await Promise.all(requests.map((entries) => save(ctx, entries)));
    const counts = new Set((await rows(ctx, { pagination: { limit: 200 } })).map(({ stockCount }) => stockCount));
    expect(counts.size).toBe(1);
    expect(await rows(ctx, { pagination: { limit: 200 } })).toHaveLength(100);
  });
});

describe('listProductStockLocation', () => {
  it("lists only the merchant's own counts, page by page and by cursor, in either order", async () => {
    for (const place of await places(ctx, 5)) await save(ctx, [{ ...place, stockCount: 1 }]);
    await save(stranger, [{ ...(await places(stranger, 1))[0]!, stockCount: 1 }]);
    const everything = (await rows(ctx)).map(({ id }) => id);
    expect(everything).toHaveLength(5);
    const first = await listProductStockLocation(ctx, { pagination: { limit: 2 } }, page);
    expect(first).toMatchObject({ count: 5, hasNext: true, limit: 2, page: 1 });
    const second = await listProductStockLocation(ctx, { pagination: { limit: 2, after: first.endCursor } }, page);
    const last = await listProductStockLocation(ctx, { pagination: { limit: 2, after: second.endCursor } }, page);
    expect(last.hasNext).toBe(false);
    expect([first, second, last].flatMap(({ data }) => data.map(({ id }) => id))).toEqual(everything);
    expect((await rows(ctx, { sort: 'createdAt' })).map(({ createdAt }) => createdAt)).toEqual(
      (await rows(ctx, { sort: '-createdAt' })).map(({ createdAt }) => createdAt).reverse(),
    );
    await expect(rows(ctx, { sort: 'stockCount' })).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['sort'], message: expect.stringContaining('createdAt, updatedAt') as string }] },
    });
    await expect(rows(ctx, { pagination: { limit: 201 } })).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
    });
  });

  it('filters by row, product, variant, location and time of change', async () => {
    const [first, second] = await places(ctx, 2);
    await save(ctx, [
      { ...first!, stockCount: 1 },
      { ...second!, stockCount: 2 },
    ]);
    const counts = async (args: object) =>
      (await rows(ctx, args)).map(({ stockCount }) => stockCount).sort((a, b) => a - b);
    const { id, stockCount } = (await rows(ctx))[0]!;
    expect(await counts({ id: { eq: id } })).toEqual([stockCount]);
    expect(await counts({ productId: { eq: first!.productId } })).toEqual([1]);
    expect(await counts({ variantId: { in: [second!.variantId, 'x'] } })).toEqual([2]);
    expect(await counts({ stockLocationId: { nin: [first!.stockLocationId] } })).toEqual([2]);
    expect(await counts({ productId: { eq: first!.productId }, variantId: { eq: second!.variantId } })).toEqual([]);
    expect(await counts({ updatedAt: { gt: Date.now() + 60_000 } })).toEqual([]);
    expect(await counts({ updatedAt: { lt: Date.now() + 60_000 } })).toEqual([1, 2]);
  });
});

function save(
  owner: Context,
  productStockLocationInputs: (Place & { stockCount: number; id?: string })[],
): Promise<boolean> {
  return saveProductStockLocations(owner, { input: { productStockLocationInputs } });
}

async function rows(owner: Context, args: object = {}) {
  return (await listProductStockLocation(owner, args, page)).data;
}

async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = database.statements.length;
  await work();
  return database.statements.slice(before);
}

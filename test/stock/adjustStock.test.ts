import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getChange } from '../../src/change/getChange.ts';
import { listChange } from '../../src/change/listChange.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { AdjustStockInput } from '../../src/graphql/generated/types.ts';
import { adjustStock } from '../../src/stock/adjustStock.ts';
import { listProductStockLocation } from '../../src/stock/listProductStockLocation.ts';
import { listStockMovement } from '../../src/stock/listStockMovement.ts';
import { moveStock } from '../../src/stock/moveStock.ts';
import { saveProductStockLocations } from '../../src/stock/saveProductStockLocations.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { waitForLocks } from '../support/wait-for-locks.ts';
import { type Place, places } from './places.ts';

const movement = {
  id: {},
  kind: {},
  delta: {},
  countAfter: {},
  reason: {},
  reference: {},
  key: {},
  sequence: {},
  createdAt: {},
  productId: {},
  variantId: {},
  stockLocationId: {},
  changeSet: { id: {}, operation: {}, databaseRole: {} },
};

const changed = { id: {}, number: {}, kind: {}, members: { path: {}, before: {}, after: {} } };

let database: TestDatabase;
let ctx: Context;
let place: Place;

beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
  place = (await places(ctx, 1))[0]!;
});
afterAll(() => database.drop());

describe('adjustStock', () => {
  it('corrects the count if the kind is null or left out', async () => {
    expect(await adjust({ delta: 1, kind: null, key: 'a' })).toMatchObject([{ kind: 'CORRECTED' }]);
    expect(await adjust({ delta: 1, key: 'b' })).toMatchObject([{ kind: 'CORRECTED' }]);
  });

  it('adds to a count that has no row yet, and returns the movement', async () => {
    const [made] = await adjust({ delta: 0.1, kind: 'RECEIVED', reason: 'Delivery', reference: 'P1', key: 'a' });
    expect(made).toMatchObject({
      ...place,
      kind: 'RECEIVED',
      delta: 0.1,
      countAfter: 0.1,
      reason: 'Delivery',
      reference: 'P1',
      key: 'a',
      sequence: 1,
    });
    const [next] = await adjust({ delta: 0.2, key: 'b' });
    expect(next).toMatchObject({ kind: 'CORRECTED', delta: 0.2, countAfter: 0.3, sequence: 2, reason: null });
    expect(next!.createdAt).toBeGreaterThan(made!.createdAt);
    expect(await count()).toBe(0.3);
    expect((await listed()).map(({ id }) => id)).toEqual([next!.id, made!.id]);
  });

  it('executes an entry once for its key, and refuses the key for another content', async () => {
    const [first] = await adjust({ delta: 2, key: 'a' });
    expect(await adjust({ delta: 2, key: 'a' })).toEqual([first]);
    expect(await adjust({ delta: 2, key: 'a', reason: null })).toEqual([first]);
    const both = await adjust({ delta: 1, key: 'b' }, { delta: 2, key: 'a' });
    expect(both).toMatchObject([{ sequence: 2 }, first]);
    for (const changed of [{ delta: 3 }, { delta: 2, reference: 'x' }, { delta: 2, kind: 'SOLD' as const }])
      await expect(adjust({ key: 'a', ...changed })).rejects.toMatchObject({
        code: 'CONFLICT',
        extensions: { keys: ['a'] },
      });
    expect(await count()).toBe(3);
    const stranger = await createContext(database.db);
    const [foreign] = await places(stranger, 1);
    await expect(
      adjustStock(stranger, { input: [{ ...foreign!, delta: 2, key: 'a' }] }, movement),
    ).resolves.toMatchObject([{ sequence: 1, countAfter: 2 }]);
  });

  it('executes entries for one place in their order, all or none, and names every refused one', async () => {
    const made = await adjust(
      { delta: 5, key: 'a', expectedCount: 0 },
      { delta: -2, key: 'b', expectedCount: 5 },
      { delta: -3, key: 'c', expectedCount: 3 },
    );
    expect(made.map(({ sequence, countAfter }) => [sequence, countAfter])).toEqual([
      [1, 5],
      [2, 3],
      [3, 0],
    ]);
    await expect(
      adjust(
        { delta: 1, key: 'd' },
        { delta: 1, key: 'e', expectedCount: 7 },
        { delta: -3, key: 'f' },
        { delta: -1, key: 'g' },
        { delta: -1, key: 'h' },
      ),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
      extensions: {
        refused: [
          { path: ['input', 1], found: 1 },
          { path: ['input', 2], available: 1 },
          { path: ['input', 4], available: 0 },
        ],
      },
    });
    expect(await count()).toBe(0);
    expect(await adjust({ delta: 1, key: 'd' })).toMatchObject([{ sequence: 4 }]);
  });

  it('takes a count near the limit as it was read for the expected one', async () => {
    const [, read] = await adjust({ delta: 1e12, key: 'a' }, { delta: -7.484375, key: 'b' });
    const expectedCount = read!.countAfter;
    const different = { delta: 1, key: 'c', expectedCount: expectedCount - 0.001 };
    await expect(adjust(different)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(adjust({ delta: 1, key: 'c', expectedCount })).resolves.toHaveLength(1);
  });

  it('takes more than there is only if the entry, the location or the variant allows it', async () => {
    await expect(adjust({ delta: -1, key: 'a' })).rejects.toMatchObject({
      extensions: { refused: [{ path: ['input', 0], available: 0 }] },
    });
    expect(await listProductStockLocation(ctx, {}, { count: {} })).toMatchObject({ count: 0 });
    expect(await adjust({ delta: -1, key: 'a', allowNegative: true })).toMatchObject([{ countAfter: -1 }]);
    expect(await adjust({ delta: 0.5, key: 'b' })).toMatchObject([{ countAfter: -0.5 }]);
    const allow = (table: string, column: string, value: boolean) =>
      database.db.execute(
        sql`update ${sql.raw(table)} set ${sql.raw(column)} = ${value} where merchant_id = ${ctx.merchantId}`,
      );
    await allow('variant', 'sell_if_out_of_stock', true);
    expect(await adjust({ delta: -1, key: 'c' })).toMatchObject([{ countAfter: -1.5 }]);
    await allow('variant', 'sell_if_out_of_stock', false);
    await expect(adjust({ delta: -1, key: 'd' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await allow('stock_location', 'allows_negative_stock', true);
    expect(await adjust({ delta: -1, key: 'd' })).toMatchObject([{ countAfter: -2.5 }]);
  });

  it('answers NOT_FOUND for what is unknown, and updates counts of what was deleted since', async () => {
    const [other] = await places(ctx, 1);
    const types = { productId: 'Product', variantId: 'Variant', stockLocationId: 'StockLocation' };
    for (const [member, type] of Object.entries(types))
      for (const id of [newId(), 'x', ''])
        await expect(
          adjust({ delta: 1, key: 'a' }, { ...other, [member]: id, delta: 1, key: 'b' }),
        ).rejects.toMatchObject({
          code: 'NOT_FOUND',
          extensions: { type, ids: [id], path: ['input', 1, member] },
        });
    await adjust({ delta: 1, key: 'a' });
    for (const table of ['product', 'variant', 'stock_location'])
      await database.db.execute(sql`update ${sql.raw(table)} set deleted = true where merchant_id = ${ctx.merchantId}`);
    expect(await adjust({ delta: 1, key: 'b' })).toMatchObject([{ countAfter: 2 }]);
    await expect(adjust({ ...other, delta: 1, key: 'c' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each<[object, (string | number)[]]>([
    [{ delta: 0 }, [0, 'delta']],
    [{ delta: 1.1234567 }, [0, 'delta']],
    [{ delta: 1e12 + 1 }, [0, 'delta']],
    [{ key: '' }, [0, 'key']],
    [{ key: 'k'.repeat(256) }, [0, 'key']],
    [{ key: '\0' }, [0, 'key']],
    [{ reference: '' }, [0, 'reference']],
    [{ reason: 'r'.repeat(1_001) }, [0, 'reason']],
    [{ expectedCount: 1e13 }, [0, 'expectedCount']],
  ])('refuses %o with the path of the member', async (members, path) => {
    await expect(adjust({ delta: 1, key: 'a', ...members })).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['input', ...path] }] },
    });
  });

  it('refuses a key that occurs twice, and a count that gets too large', async () => {
    await expect(adjust({ delta: 1, key: 'a' }, { delta: 1, key: 'a' })).rejects.toMatchObject({
      extensions: { issues: [{ path: ['input', 1, 'key'] }] },
    });
    await adjust({ delta: 1e12, key: 'a' });
    await expect(adjust({ delta: 1, key: 'b' })).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['input', 0] }] },
    });
  });
});

describe('moveStock', () => {
  it('takes from one location and adds to another, once for a key', async () => {
    const [, second] = await places(ctx, 2);
    const move = {
      productId: place.productId,
      variantId: place.variantId,
      fromStockLocationId: place.stockLocationId,
      toStockLocationId: second!.stockLocationId,
      quantity: 2,
      key: 'm',
    };
    await expect(moveStock(ctx, { input: [move] }, movement)).rejects.toMatchObject({
      extensions: { refused: [{ path: ['input', 0], available: 0 }] },
    });
    await adjust({ delta: 3, key: 'a' });
    const made = await moveStock(ctx, { input: [move] }, movement);
    expect(made).toMatchObject([
      { kind: 'MOVED', delta: -2, countAfter: 1, key: 'm', stockLocationId: place.stockLocationId },
      { kind: 'MOVED', delta: 2, countAfter: 2, key: 'm', stockLocationId: second!.stockLocationId },
    ]);
    expect(await moveStock(ctx, { input: [move] }, movement)).toEqual(made);
    const back = { fromStockLocationId: second!.stockLocationId, toStockLocationId: place.stockLocationId };
    const several = [
      { ...move, key: 'n', quantity: 1 },
      { ...move, ...back, key: 'o', quantity: 4 },
      { ...move, ...back, key: 'p', quantity: 3 },
      { ...move, key: 'q', quantity: 4 },
    ];
    // A refused entry adds nothing, so the next entry cannot take its quantity.
    await expect(moveStock(ctx, { input: several }, movement)).rejects.toMatchObject({
      extensions: {
        refused: [
          { path: ['input', 1], available: 3 },
          { path: ['input', 3], available: 3 },
        ],
      },
    });
    await expect(adjust({ delta: 3, key: 'm' })).rejects.toMatchObject({ extensions: { keys: ['m'] } });
    for (const wrong of [{ quantity: 0 }, { quantity: -1 }, { toStockLocationId: place.stockLocationId }])
      await expect(moveStock(ctx, { input: [{ ...move, key: 'n', ...wrong }] }, movement)).rejects.toMatchObject({
        code: 'ARGUMENT_VALIDATION_ERROR',
        extensions: { issues: [{ path: ['input', 0, Object.keys(wrong)[0]] }] },
      });
    await expect(
      moveStock(ctx, { input: [{ ...move, key: 'n', toStockLocationId: 'x' }] }, movement),
    ).rejects.toMatchObject({ extensions: { type: 'StockLocation', path: ['input', 0, 'toStockLocationId'] } });
  });
});

describe('listStockMovement', () => {
  it('finds movements by their times, to the millisecond', async () => {
    await adjust({ delta: 1, key: 'a' }, { delta: 1, key: 'b' });
    await adjust({ delta: 1, key: 'c' });
    const times = (await listed()).map(({ createdAt }) => createdAt).reverse();
    expect(new Set(times).size).toBe(3);
    const [first, second, third] = times as [number, number, number];
    const found = async (createdAt: object) => (await listed({ createdAt })).map(({ key }) => key).join('');
    expect(await found({ eq: second })).toBe('b');
    expect(await found({ gt: first })).toBe('cb');
    expect(await found({ gte: first })).toBe('cba');
    expect(await found({ lt: third })).toBe('ba');
    expect(await found({ lte: third })).toBe('cba');
    expect(await found({ gt: first, lt: third })).toBe('b');
    expect(await found({ gt: first - 1, lt: first + 1, ne: second })).toBe('a');
    expect(await found({ gte: Date.parse('0001-01-02'), lte: Date.parse('9999-12-30') })).toBe('cba');
    expect(await found({ lt: -1 })).toBe('');
  });
});

describe('counts that are set', () => {
  it('get a movement with the difference: by a save and by plain SQL', async () => {
    await save(5);
    await save(5);
    await database.db.execute(
      sql`update product_stock_location set stock_count = 7 where merchant_id = ${ctx.merchantId}`,
    );
    await adjust({ delta: -1, key: 'a' });
    await save(2);
    const all = await listed();
    expect(all.map(({ kind, delta, countAfter, sequence }) => [kind, delta, countAfter, sequence])).toEqual([
      ['COUNTED', -4, 2, 4],
      ['CORRECTED', -1, 6, 3],
      ['COUNTED', 2, 7, 2],
      ['COUNTED', 5, 5, 1],
    ]);
    expect(all[2]!.changeSet).toMatchObject({ operation: null, databaseRole: expect.any(String) as string });
  });

  it('are recorded once: their movements are the changes, and only what is no movement has a change of its own', async () => {
    await save(5);
    await adjust({ delta: -1, key: 'a' }, { delta: 3, key: 'b' });
    await database.db.execute(
      sql`update product_stock_location set stock_count = 9, deleted = true where merchant_id = ${ctx.merchantId}`,
    );
    const movements = await listed();
    const { data } = await listChange(ctx, { recordType: 'PRODUCT_STOCK_LOCATION' }, { data: changed });
    expect(data.map(({ number, kind, members }) => [number, kind, members.map(({ path }) => path)])).toEqual([
      [5, 'DELETED', ['deleted']],
      [4, 'UPDATED', ['stockCount']],
      [3, 'UPDATED', ['stockCount']],
      [2, 'UPDATED', ['stockCount']],
      [1, 'CREATED', ['createdAt', 'deleted', 'productId', 'stockCount', 'stockLocationId', 'variantId']],
    ]);
    expect(data.slice(1).map(({ id }) => id)).toEqual(movements.map(({ id }) => id));
    expect(data[2]!.members).toEqual([{ path: 'stockCount', before: '4', after: '7' }]);
    expect(await getChange(ctx, { id: movements[0]!.id }, changed)).toEqual(data[1]);
    const stored = await database.db.execute(
      sql`select kind from change where merchant_id = ${ctx.merchantId} and record_type = 'PRODUCT_STOCK_LOCATION'`,
    );
    expect(stored).toEqual([{ kind: 'DELETED' }]);
  });

  it('that one transaction creates and removes are no change', async () => {
    const { productId, variantId, stockLocationId } = place;
    await database.db.transaction(async (transaction) => {
      await transaction.execute(sql`
        insert into product_stock_location (merchant_id, product_id, variant_id, stock_location_id, stock_count)
        values (${ctx.merchantId}, ${productId}, ${variantId}, ${stockLocationId}, 3)`);
      await transaction.execute(sql`delete from product_stock_location where merchant_id = ${ctx.merchantId}`);
    });
    expect(await listChange(ctx, { recordType: 'PRODUCT_STOCK_LOCATION' }, { count: {} })).toMatchObject({ count: 0 });
  });

  it('lose their movements when the row is removed', async () => {
    await adjust({ delta: 1, key: 'a' });
    await database.db.execute(sql`delete from product_stock_location where merchant_id = ${ctx.merchantId}`);
    expect(await listed()).toEqual([]);
    await expect(adjust({ delta: 2, key: 'b' }, { delta: 1, key: 'a' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The stock counts that these keys changed were removed: a',
      extensions: { keys: ['a'] },
    });
    expect(await listProductStockLocation(ctx, {}, { count: {} })).toMatchObject({ count: 0 });
    expect(await adjust({ delta: 1, key: 'b' })).toMatchObject([{ sequence: 1 }]);
  });
});

describe('a count that plain SQL removes while a request waits for it', () => {
  async function removedMeanwhile<T>(run: () => Promise<T>): Promise<T> {
    await adjust({ delta: 5, key: newId() });
    let result!: Promise<PromiseSettledResult<T>[]>;
    await database.db.transaction(async (transaction) => {
      await transaction.execute(sql`delete from product_stock_location where merchant_id = ${ctx.merchantId}`);
      result = Promise.allSettled([run()]);
      await waitForLocks(database.owner, 1);
    });
    const [settled] = await result;
    if (settled!.status === 'rejected') throw settled!.reason;
    return settled!.value;
  }

  it('is opened again by adjustStock', async () => {
    const made = await removedMeanwhile(async () => await adjust({ delta: 2, key: 'a' }));
    expect(made).toMatchObject([{ delta: 2, countAfter: 2, sequence: 1 }]);
  });

  it('has nothing that moveStock could move', async () => {
    const [, to] = await places(ctx, 2);
    const { stockLocationId, ...ofVariant } = place;
    const locations = { fromStockLocationId: stockLocationId, toStockLocationId: to!.stockLocationId };
    const move = { ...ofVariant, ...locations, quantity: 1, key: 'a' };
    await expect(removedMeanwhile(async () => await moveStock(ctx, { input: [move] }, movement))).rejects.toMatchObject(
      { code: 'CONFLICT', extensions: { refused: [{ available: 0 }] } },
    );
  });
});

it('adds each key once when many clients send it several times', { timeout: 60_000 }, async () => {
  const all = await places(ctx, 3);
  const entries = Array.from({ length: 60 }, (_, n) => ({ ...all[n % 3]!, delta: n + 1, key: `k${n}` }));
  const sent = [...entries, ...entries, ...entries].sort(() => Math.random() - 0.5);
  const made = await Promise.all(sent.map(async (entry) => (await adjustStock(ctx, { input: [entry] }, movement))[0]!));
  expect(new Set(made.map(({ id }) => id)).size).toBe(60);
  for (const [n, one] of all.entries()) {
    const own = entries.filter((_, index) => index % 3 === n);
    const moved = (await listed({ variantId: { eq: one.variantId } })).reverse();
    expect(moved.map(({ sequence }) => sequence)).toEqual(own.map((_, index) => index + 1));
    expect(moved.at(-1)!.countAfter).toBe(own.reduce((sum, { delta }) => sum + delta, 0));
  }
});

type Entry = Omit<AdjustStockInput, keyof Place> & Partial<Place>;

function adjust(...entries: Entry[]) {
  return adjustStock(ctx, { input: entries.map((entry) => ({ ...place, ...entry })) }, movement);
}

async function save(stockCount: number): Promise<void> {
  await saveProductStockLocations(ctx, { input: { productStockLocationInputs: [{ ...place, stockCount }] } });
}

async function count(): Promise<number> {
  return (await listProductStockLocation(ctx, {}, { data: { stockCount: {} } })).data[0]!.stockCount;
}

async function listed(args: object = {}) {
  return (await listStockMovement(ctx, { pagination: { limit: 200 }, ...args }, { data: movement })).data;
}

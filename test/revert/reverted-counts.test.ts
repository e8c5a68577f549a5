import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { continueReverts } from '../../src/revert/continue-reverts.ts';
import { keepHistory } from '../../src/merchant/keep-history.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { post } from '../support/post.ts';
import { type Place, places } from '../stock/places.ts';

// 501 products and their counts: half a minute on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
let place: Place;

beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
  place = (await places(ctx, 1))[0]!;
});

async function call(name: string, variables: object): Promise<any> {
  const { data, errors } = (await server.call(ctx, name, variables)) as { data: any; errors?: unknown };
  expect(errors).toBeUndefined();
  return data[name];
}

/** Adds to the count, and returns the change set. */
async function add(delta: number): Promise<string> {
  const [movement] = await call('adjustStock', { input: [{ ...place, delta, key: newId() }] });
  return movement.changeSet.id;
}

const revert = async (changeSetId: string) => await call('revertChanges', { input: { changeSetId } });
const movements = async () => (await call('listStockMovement', { variantId: { eq: place.variantId } })).data;
const deltas = async (from = 0) =>
  (await movements())
    .map(({ delta }: { delta: number }) => delta)
    .reverse()
    .slice(from);

it.each([
  ['a change', 3],
  ['the change that created the count', 0],
])(
  'the difference of %s is taken back once, however often that is asked for and whatever was added since',
  async (_, opened) => {
    if (opened > 0) await add(opened);
    const first = await add(10);
    await add(5);
    const { changeSetId } = await revert(first);
    expect(await deltas(opened && 1)).toEqual([10, 5, -10]);
    for (const delta of [1, 4]) {
      // The second time the count is what it was after the first change.
      await add(delta);
      expect(await revert(first)).toMatchObject({ changeSetId: null, recordCount: 0 });
    }
    expect(await deltas(opened && 1)).toEqual([10, 5, -10, 1, 4]);

    await revert(changeSetId);
    expect(await revert(changeSetId)).toMatchObject({ changeSetId: null, recordCount: 0 });
    await add(2);
    await revert(first);
    expect(await revert(first)).toMatchObject({ changeSetId: null, recordCount: 0 });
    expect(await deltas(opened && 1)).toEqual([10, 5, -10, 1, 4, 10, 2, -10]);
    expect((await movements()).slice(0, 1)).toMatchObject([
      { kind: 'CORRECTED', countAfter: opened + 12, sequence: (opened && 1) + 8 },
    ]);
  },
);

it.each(['first', 'second'])(
  'is not taken back again while the %s of two reverts of it is in effect',
  async (which) => {
    await add(100);
    const first = await add(10);
    const revertOf = async (changeSetId: string): Promise<string> => (await revert(changeSetId)).changeSetId;
    const reverts = [await revertOf(first)];
    const restored = [await revertOf(reverts[0]!)];
    reverts.push(await revertOf(first));
    restored.push(await revertOf(reverts[1]!));
    await revertOf(restored[which === 'first' ? 0 : 1]!);
    expect(await deltas(2)).toEqual([-10, 10, -10, 10, -10]);
    expect(await revert(first)).toMatchObject({ changeSetId: null, recordCount: 0 });

    await revertOf(reverts[which === 'first' ? 0 : 1]!);
    expect(await revert(first)).toMatchObject({ recordCount: 1 });
  },
);

it('the difference is taken back although the count has its former value by other movements', async () => {
  await add(5);
  const first = await add(3);
  await add(-3);
  expect(await revert(first)).toMatchObject({ recordCount: 1 });
  expect(await deltas()).toEqual([5, 3, -3, -3]);
  expect(await revert(first)).toMatchObject({ changeSetId: null, recordCount: 0 });
});

it('several counts of one location are restored when their removal is taken back', async () => {
  const sent = (await places(ctx, 3)).map(({ productId, variantId }) => ({
    productId,
    variantId,
    stockLocationId: place.stockLocationId,
    delta: 2,
    key: newId(),
  }));
  const [{ changeSet }] = await call('adjustStock', { input: sent });
  const removal = await revert(changeSet.id);
  expect(removal).toMatchObject({ recordCount: 3 });
  expect(await revert(removal.changeSetId)).toMatchObject({ recordCount: 3 });
});

it('names its change set also without a history, because movements are always recorded', async () => {
  await keepHistory(ctx, false);
  await add(5);
  const { changeSetId } = await revert(await add(3));
  await revert(changeSetId);
  expect(await deltas()).toEqual([5, 3, -3, 3]);
});

it('nothing is left of a count whose creation is taken back', async () => {
  const first = await add(10);
  const { changeSetId } = await revert(first);
  const held = { ...place, quantity: 1, key: newId(), expiresAt: Date.now() + 3_600_000 };
  const { errors } = await server.call(ctx, 'holdStock', { input: [held] });
  expect(errors).toMatchObject([{ extensions: { refused: [{ available: 0 }] } }]);
  await add(1);
  expect(await deltas()).toEqual([10, -10, 1]);
  await revert(changeSetId);
  expect((await movements())[0]).toMatchObject({ kind: 'CORRECTED', delta: 10, countAfter: 11 });
});

it('inserts a count that plain SQL has removed, with one movement', async () => {
  await add(10);
  await add(2);
  await database.db.execute(
    sql`delete from product_stock_location where merchant_id = ${ctx.merchantId} and variant_id = ${place.variantId}`,
  );
  const [removal] = (await call('listChange', {})).data;
  await revert(removal.changeSet.id);
  expect(await movements()).toMatchObject([{ kind: 'CORRECTED', delta: 12, countAfter: 12, sequence: 1 }]);
  expect((await call('listProductStockLocation', {})).data).toMatchObject([{ ...place, stockCount: 12 }]);
});

describe('a count that one transaction of plain SQL changes several times', () => {
  const own = () => sql`merchant_id = ${ctx.merchantId} and variant_id = ${place.variantId}`;
  const set = (count: number) => sql`update product_stock_location set stock_count = ${count} where ${own()}`;
  const remove = () => sql`delete from product_stock_location where ${own()}`;
  const listed = async () => (await call('listProductStockLocation', {})).data;
  async function execute(...statements: SQL[]) {
    await database.owner.transaction(async (transaction) => {
      for (const statement of statements) await transaction.execute(statement);
    });
    return (await call('listChange', { recordType: 'PRODUCT_STOCK_LOCATION' })).data;
  }

  it('is restored as it was before if it was removed at last', async () => {
    await add(5);
    const [removal] = await execute(set(9.5), set(8), remove());
    expect(removal.kind).toBe('DELETED');
    expect(removal.members).toContainEqual({ path: 'stockCount', before: '5', after: null });
    await revert(removal.changeSet.id);
    expect(await listed()).toMatchObject([{ ...place, stockCount: 5 }]);
  });

  /** As synchronizations replace rows: with the same id. */
  async function replacement(count: number): Promise<SQL> {
    const [{ id }] = await listed();
    return sql`
      insert into product_stock_location (merchant_id, id, product_id, variant_id, stock_location_id, stock_count)
      values (${ctx.merchantId}, ${id}, ${place.productId}, ${place.variantId}, ${place.stockLocationId}, ${count})`;
  }

  it('has one change if it was removed and inserted again, which is taken back once', async () => {
    await add(5);
    const [replaced, ...others] = await execute(remove(), await replacement(4));
    expect(others).toEqual([]);
    expect(replaced).toMatchObject({ kind: 'UPDATED', number: 2, members: [{}, { path: 'stockCount' }] });
    expect(replaced.members[1]).toEqual({ path: 'stockCount', before: '5', after: '4' });
    await add(1);
    expect((await movements()).map(({ sequence, countAfter }: any) => [sequence, countAfter])).toEqual([
      [2, 5],
      [1, 4],
    ]);
    const { changeSetId } = await revert(replaced.changeSet.id);
    expect(await revert(replaced.changeSet.id)).toMatchObject({ changeSetId: null, recordCount: 0 });
    expect(await listed()).toMatchObject([{ stockCount: 6, deleted: false }]);
    await revert(changeSetId);
    expect(await listed()).toMatchObject([{ stockCount: 5 }]);
    const { data } = await call('listChange', { recordType: 'PRODUCT_STOCK_LOCATION' });
    expect(data.map(({ number }: { number: number }) => number)).toEqual([5, 4, 3, 2]);
  });

  it('has one change also with a merchant that keeps no history', async () => {
    await keepHistory(ctx, false);
    await add(5);
    await execute(remove(), await replacement(4));
    expect(await movements()).toMatchObject([{ sequence: 1, countAfter: 4 }]);
  });

  it('is restored if it was replaced and then removed', async () => {
    await add(5);
    const insert = await replacement(4);
    const [removal, ...others] = await execute(set(7), remove(), insert, set(3), remove());
    expect(others).toEqual([]);
    expect(removal).toMatchObject({ kind: 'DELETED' });
    await revert(removal.changeSet.id);
    expect(await listed()).toMatchObject([{ ...place, stockCount: 5 }]);
  });
});

it('inserts a count that plain SQL has removed beside another one of the location', async () => {
  const other = { ...(await places(ctx, 2))[1]!, stockLocationId: place.stockLocationId };
  await call('adjustStock', { input: [place, other].map((one) => ({ ...one, delta: 10, key: newId() })) });
  await database.owner.transaction(async (transaction) => {
    const ofVariant = (id: string) => sql`merchant_id = ${ctx.merchantId} and variant_id = ${id}`;
    await transaction.execute(sql`delete from product_stock_location where ${ofVariant(place.variantId)}`);
    await transaction.execute(
      sql`update product_stock_location set stock_count = stock_count + 5 where ${ofVariant(other.variantId)}`,
    );
  });
  const [{ changeSet }] = (await call('listChange', {})).data;
  expect(await revert(changeSet.id)).toMatchObject({ recordCount: 2 });
  const { data } = await call('listProductStockLocation', {});
  expect(data.map(({ stockCount }: { stockCount: number }) => stockCount)).toEqual([10, 10]);
});

it('inserts a deleted count that plain SQL has removed as a deleted one', async () => {
  const { changeSetId } = await revert(await add(10));
  const own = sql`merchant_id = ${ctx.merchantId} and variant_id = ${place.variantId}`;
  await database.db.execute(sql`delete from product_stock_location where ${own}`);
  const [removal] = (await call('listChange', {})).data;
  expect(removal.members).toContainEqual({ path: 'deleted', before: 'true', after: null });
  const again = await revert(removal.changeSet.id);
  const stored = await database.db.execute(sql`select deleted from product_stock_location where ${own}`);
  expect([...stored]).toEqual([{ deleted: true }]);
  const [{ kind, members }] = (await call('listChange', {})).data;
  expect(kind).toBe('CREATED');
  expect(members).toContainEqual({ path: 'deleted', before: null, after: 'true' });
  expect(members).toContainEqual({ path: 'stockCount', before: null, after: '0' });
  // What it did is left alone: the count is deleted. What the first revert did to the count is gone with its movements.
  expect(await revert(again.changeSetId)).toMatchObject({ changeSetId: null, recordCount: 0 });
  expect(await revert(changeSetId)).toMatchObject({ records: [{ members: [{ path: 'deleted', after: 'false' }] }] });
  expect(await deltas()).toEqual([0]);
});

it('of two reverts at once one takes the difference back', async () => {
  const first = await add(10);
  await add(5);
  const reverts = await Promise.all([1, 2, 3].map(async () => await revert(first)));
  expect(reverts.filter(({ recordCount }) => recordCount === 1)).toHaveLength(1);
  expect(await deltas()).toEqual([10, 5, -10]);
});

it('a request has one revert only: its change set names one change set', async () => {
  await add(10);
  const sets = [await add(1), await add(2)];
  const reverts = sets.map((id, n) => `r${n}: revertChanges(input: { changeSetId: "${id}" }) { recordCount }`);
  const refusal = { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['input'] }] };
  expect(await server.query(ctx, `mutation { ${reverts.join(' ')} }`)).toMatchObject({
    errors: [{ message: 'input: must be in a request without other mutations', extensions: refusal }],
  });
  expect(
    await server.query(ctx, `mutation { ${reverts[0]} deleteTagList: deleteProductTagList(idList: []) }`),
  ).toMatchObject({
    errors: [{ extensions: refusal }],
  });
  expect(await deltas()).toEqual([10, 1, 2]);
  const alone = `mutation ($no: Boolean!) { ${reverts[0]} ${reverts[1]} @include(if: $no) }`.replace(
    ' { recordCount } @include(if: $no)',
    ' @include(if: $no) { recordCount }',
  );
  expect(await server.query(ctx, alone, { no: false })).toMatchObject({ data: { r0: { recordCount: 1 } } });
});

it('a movement of several in one change set is taken back by itself, once, and the others afterwards', async () => {
  await add(100);
  const entries = [1, 2, 4].map((delta) => ({ ...place, delta, key: newId() }));
  const [one, two, four] = await call('adjustStock', { input: entries });
  const revertOnly = async ({ id }: { id: string }) => await call('revertChanges', { input: { changeIds: [id] } });
  const first = await revertOnly(two);
  expect(await revertOnly(two)).toMatchObject({ recordCount: 0 });
  await revertOnly(four);
  expect(await deltas()).toEqual([100, 1, 2, 4, -2, -4]);

  const rest = await revert(one.changeSet.id);
  expect(await revert(one.changeSet.id)).toMatchObject({ recordCount: 0 });
  expect(await deltas(6)).toEqual([-1]);

  // What a revert of a part has taken back is open again after that revert was reverted.
  await revert(first.changeSetId);
  expect(await revertOnly(one)).toMatchObject({ recordCount: 0 });
  await revert(rest.changeSetId);
  await revert(one.changeSet.id);
  expect(await deltas(7)).toEqual([2, 1, -3]);
});

it('a revert of changes of several change sets makes movements of the kind CORRECTED too', async () => {
  const sets = [await add(100), await add(1), await add(2)];
  const { data } = await call('listChange', { changeSetId: { in: sets.slice(1) } });
  await call('revertChanges', { input: { changeIds: data.map(({ id }: { id: string }) => id) } });
  expect((await movements())[0]).toMatchObject({ kind: 'CORRECTED', delta: -3, countAfter: 100 });
});

it('takes differences back exactly, of counts that a 64-bit float would round', async () => {
  const exact = async () => {
    const own = sql`merchant_id = ${ctx.merchantId} and variant_id = ${place.variantId}`;
    const rows = await database.db.execute(sql`
      select delta::text, count_after::text as count from stock_movement where ${own}
      union all select 'stored', stock_count::text from product_stock_location where ${own}`);
    return rows.map((row) => Object.values(row));
  };
  await add(999_999_999_998);
  await add(0.123456);
  const last = await add(0.000001);
  await call('revertChanges', { input: { changeSetId: last } });
  expect((await exact()).slice(-2)).toEqual([
    ['-0.000001', '999999999998.123456'],
    ['stored', '999999999998.123456'],
  ]);
  await database.db.execute(
    sql`delete from product_stock_location where merchant_id = ${ctx.merchantId} and variant_id = ${place.variantId}`,
  );
  const [removal] = (await call('listChange', {})).data;
  const { records } = await revert(removal.changeSet.id);
  expect(records[0].members).toContainEqual({ path: 'stockCount', before: null, after: '999999999998.123456' });
  expect(await exact()).toEqual([
    ['999999999998.123456', '999999999998.123456'],
    ['stored', '999999999998.123456'],
  ]);
});

it('refuses to leave a count outside the limits of a save', async () => {
  await add(1e12);
  const taken = [await add(-3), await add(-2)];
  await add(3);
  const message = 'must leave a count from -1000000000000 to 1000000000000';
  const { errors } = (await server.call(ctx, 'revertChanges', { input: { changeSetId: taken[0]! } })) as any;
  expect(errors[0].extensions).toMatchObject({ code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ message }] });
  expect(await revert(taken[1]!)).toMatchObject({ recordCount: 1 });
  expect(await deltas()).toEqual([1e12, -3, -2, 3, 2]);
});

it('has a movement for the largest difference of two counts of plain SQL', async () => {
  await add(1);
  for (const count of [9e12, -9e12])
    await database.db.execute(
      sql`update product_stock_location set stock_count = ${count} where merchant_id = ${ctx.merchantId}`,
    );
  expect((await movements())[0]).toMatchObject({ delta: -18e12, countAfter: -9e12 });
  const saved = { productStockLocationInputs: [{ ...place, stockCount: 1e12 }] };
  await call('saveProductStockLocations', { input: saved });
  expect((await movements())[0]).toMatchObject({ delta: 10e12, countAfter: 1e12 });
});

describe('two bulk operations of one request', () => {
  /** Opens counts with 5, sets all of them to 8 and the first one to 10. Returns the bulk operations of both. */
  async function setTwice(count: number): Promise<[string, string]> {
    const entry = ({ stockLocationId }: Place, n: number, stockCount: number) => ({
      sourceId: `p${n}`,
      name: n === 0 ? 'Shirt' : `Shirt ${stockCount}`,
      type: 'PHYSICAL',
      categories: [],
      productVariantTypes: [],
      variants: [{ sourceId: 'v', prices: [{ sellPrice: 1 }], stocks: [{ stockLocationId, stockCount }] }],
    });
    const entries = (stockCount: number) => Array.from({ length: count }, (_, n) => entry(place, n, stockCount));
    await call('bulkUpdateProducts', { input: entries(5) });
    const query = `mutation ($a: [BulkUpdateProductsInput!]!, $b: [BulkUpdateProductsInput!]!) {
      a: bulkUpdateProducts(input: $a) b: bulkUpdateProducts(input: $b) }`;
    const url = `${server.url}/api/v1/admin/graphql`;
    const variables = { a: entries(8), b: entries(10).slice(0, 1) };
    const { body } = await post(url, { query, variables }, { token: ctx.merchantId });
    expect(body.errors).toBeUndefined();
    return Object.values(body.data!) as [string, string];
  }

  const work = async () =>
    await continueReverts(
      { db: database.db, across: database.across, log: ctx.log, webhook: ctx.webhook },
      new AbortController().signal,
    );
  const firstCount = async () => {
    const { data } = await call('listProduct', { sourceId: { eq: 'p0' } });
    return data[0].variants[0].stocks[0].stockCount;
  };

  it('can be taken back one after the other', async () => {
    const [a, b] = await setTwice(1);
    await call('revertChanges', { input: { bulkOperationId: a } });
    expect(await firstCount()).toBe(7);
    await call('revertChanges', { input: { bulkOperationId: b } });
    expect(await firstCount()).toBe(5);
    for (const bulkOperationId of [a, b])
      expect(await call('revertChanges', { input: { bulkOperationId } })).toMatchObject({ recordCount: 0 });
  });

  it('can be taken back one after the other if the worker does the first', async () => {
    const [a, b] = await setTwice(501);
    const { changeSetId } = await call('revertChanges', { input: { bulkOperationId: a } });
    await work();
    expect(await firstCount()).toBe(7);
    const second = await call('revertChanges', { input: { bulkOperationId: b } });
    expect(await firstCount()).toBe(5);
    expect(await call('revertChanges', { input: { bulkOperationId: b } })).toMatchObject({ recordCount: 0 });
    await call('revertChanges', { input: { changeSetId: second.changeSetId } });
    await call('revertChanges', { input: { changeSetId } });
    await work();
    expect(await firstCount()).toBe(10);
  });

  it('has a movement taken back that the worker left, because an earlier revert had taken it back', async () => {
    await setTwice(501);
    const product = (await call('listProduct', { sourceId: { eq: 'p0' } })).data[0];
    const [, { id, changeSet }] = (await call('listStockMovement', { variantId: { eq: product.variants[0].id } })).data;
    const earlier = await call('revertChanges', { input: { changeIds: [id] } });
    expect(await firstCount()).toBe(7);
    await revert(changeSet.id);
    await work();
    expect(await firstCount()).toBe(5);
    await revert(earlier.changeSetId);
    expect(await firstCount()).toBe(8);
    expect(await call('revertChanges', { input: { changeIds: [id] } })).toMatchObject({ recordCount: 1 });
    expect(await firstCount()).toBe(5);
  });
});

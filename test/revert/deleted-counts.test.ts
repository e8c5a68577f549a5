import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { keepHistory } from '../../src/merchant/keep-history.ts';
import { type Place, places } from '../stock/places.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';

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

/** The counts that are not deleted. */
const listed = async (): Promise<number[]> =>
  (await call('listProductStockLocation', {})).data.map(({ stockCount }: { stockCount: number }) => stockCount);

async function restoreByPlainSql(): Promise<string> {
  await database.db.execute(
    sql`update product_stock_location set deleted = false where merchant_id = ${ctx.merchantId}`,
  );
  return (await call('listChange', {})).data[0].changeSet.id;
}

it('lists what is left of a deleted count after the change that restored it is taken back', async () => {
  await revert(await add(10));
  const restored = await add(1);
  await add(2);
  await revert(restored);
  expect(await listed()).toEqual([2]);
  expect(await revert(restored)).toMatchObject({ recordCount: 0 });
  expect(await listed()).toEqual([2]);
});

it('deletes a count again that the change has restored, if nothing is left of it', async () => {
  await revert(await add(10));
  await revert(await add(1));
  expect(await listed()).toEqual([]);
});

it('leaves a count that was restored since by another change, if the revert is repeated', async () => {
  await revert(await add(10));
  const restored = await add(1);
  await revert(restored);
  await add(2);
  expect(await revert(restored)).toMatchObject({ recordCount: 0 });
  expect(await listed()).toEqual([2]);
});

it('lists a count again whose deletion is taken back without a history', async () => {
  await keepHistory(ctx, false);
  const { changeSetId } = await revert(await add(10));
  expect(await listed()).toEqual([]);
  await revert(changeSetId);
  expect(await listed()).toEqual([10]);
});

it('lists a deleted count again that is no longer 0 after a later change is taken back', async () => {
  const first = await add(10);
  await add(5);
  const last = await add(-5);
  await revert(first);
  expect(await listed()).toEqual([]);
  await revert(last);
  expect(await listed()).toEqual([5]);
});

it('takes the restoration of a count by plain SQL back if the count is 0', async () => {
  await revert(await add(10));
  const restored = await restoreByPlainSql();
  expect(await listed()).toEqual([0]);
  await revert(restored);
  expect(await listed()).toEqual([]);
});

it('leaves a count that is not 0 after the movement of its restoration was taken back by itself', async () => {
  await revert(await add(10));
  const [movement] = await call('adjustStock', { input: [{ ...place, delta: 1, key: newId() }] });
  await add(2);
  await call('revertChanges', { input: { changeIds: [movement.id] } });
  expect(await revert(movement.changeSet.id)).toMatchObject({ recordCount: 0 });
  expect(await listed()).toEqual([2]);
});

it('takes a creation back again after the movement of its revert was taken back by itself', async () => {
  const creation = await add(10);
  const { changeSetId } = await revert(creation);
  const { data } = await call('listChange', { changeSetId: { eq: changeSetId } });
  const [movement] = data.filter(({ members }: any) => members.some(({ path }: any) => path === 'stockCount'));
  await call('revertChanges', { input: { changeIds: [movement.id] } });
  expect(await listed()).toEqual([10]);
  expect(await revert(creation)).toMatchObject({ recordCount: 1 });
  expect(await listed()).toEqual([]);
});

it('takes a creation with 0 back once', async () => {
  const saved = { productStockLocationInputs: [{ ...place, stockCount: 0 }] };
  await call('saveProductStockLocations', { input: saved });
  const creation = (await call('listChange', {})).data[0].changeSet.id;
  await revert(creation);
  await add(5);
  await add(-5);
  expect(await listed()).toEqual([0]);
  expect(await revert(creation)).toMatchObject({ recordCount: 0 });
  expect(await listed()).toEqual([0]);
});

it('leaves a deleted count to which single changes of several requests, with its creation, are taken back', async () => {
  const changeIds: string[] = [];
  for (const delta of [10, 5])
    changeIds.push((await call('adjustStock', { input: [{ ...place, delta, key: newId() }] }))[0].id);
  await call('revertChanges', { input: { changeIds } });
  expect(await listed()).toEqual([]);
  expect(await call('revertChanges', { input: { changeIds } })).toMatchObject({ recordCount: 0 });
  expect(await listed()).toEqual([]);
});

it('leaves a count that was deleted after the request that created it', async () => {
  const entries = [10, 5].map((delta) => ({ ...place, delta, key: newId() }));
  const [movement] = await call('adjustStock', { input: entries });
  await database.db.execute(
    sql`update product_stock_location set deleted = true where merchant_id = ${ctx.merchantId}`,
  );
  expect(await revert(movement.changeSet.id)).toMatchObject({ recordCount: 0 });
  expect(await listed()).toEqual([]);
});

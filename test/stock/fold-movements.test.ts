import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { findBroken } from '../../src/cli/references/find-broken.ts';
import { wrongCounts } from '../../src/cli/references/wrong-counts.ts';
import type { Context } from '../../src/context.ts';
import { idArray } from '../../src/db/sql/parameter.ts';
import { changeOrigin } from '../../src/db/write/change-origin.ts';
import { listChange } from '../../src/change/listChange.ts';
import { revertChanges } from '../../src/revert/revertChanges.ts';
import { adjustStock } from '../../src/stock/adjustStock.ts';
import { foldMovements } from '../../src/stock/movement/fold-movements.ts';
import { listStockMovement } from '../../src/stock/listStockMovement.ts';
import { saveProductStockLocations } from '../../src/stock/saveProductStockLocations.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { ON_NODES, rowsRead } from '../support/rows-read.ts';
import { type Place, places } from './places.ts';

const movement = { kind: {}, delta: {}, countAfter: {}, sequence: {}, reference: {} };

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

it('old movements become one with their sum, and the sequence goes on', async () => {
  for (const [n, delta] of [4, -1, 2].entries()) await adjust(delta, `old ${n}`);
  await age(sql`true`);
  await adjust(1, 'new');
  const across = { ...ctx, across: database.across };
  expect(await foldMovements(across, null)).toBe(0);
  expect(await foldMovements(across, 99)).toBe(3);
  expect(await foldMovements(across, 99)).toBe(0);
  expect(await listed()).toEqual([
    { kind: 'CORRECTED', delta: 1, countAfter: 6, sequence: 4, reference: 'order' },
    { kind: 'OPENED', delta: 5, countAfter: 5, sequence: 3, reference: null },
  ]);
  expect(await brokenCounts()).toEqual([]);
});

it('reads none of the movements that it keeps', async ({ skip }) => {
  skip(database.placement.needsRelay, ON_NODES);
  await insertMovements(3_000);
  const across = { ...ctx, across: database.across };
  const read = await rowsRead(database, 'stock_movement', async () => await foldMovements(across, 99));
  expect(read).toBeLessThan(100);
});

it('reads none of the later movements of the counts that it folds', async ({ skip }) => {
  skip(database.placement.needsRelay, ON_NODES);
  await adjust(4, 'old');
  await age(sql`true`);
  const input = Array.from({ length: 1_000 }, (_, n) => ({ ...place, delta: 1, key: `new ${n}` }));
  await adjustStock(ctx, { input }, { id: {} });
  const across = { ...ctx, across: database.across };
  const read = await rowsRead(database, 'stock_movement', async () => {
    expect(await foldMovements(across, 99)).toBe(1);
  });
  // Three statements would read 1,000 each. The statistics of the adjustment before may be sent late.
  expect(read).toBeLessThan(1_500);
});

it('movements are folded behind as many that were folded before', async () => {
  await insertMovements(1_500);
  await age(sql`true`);
  await database.db.execute(sql`update stock_movement set change_number = null where merchant_id = ${ctx.merchantId}`);
  await adjust(4, 'a');
  await age(sql`key = 'a'`);
  expect(await foldMovements({ ...ctx, across: database.across }, 99)).toBe(1);
});

it('change sets of folded movements are removed, if nothing else belongs to them', async () => {
  const other = (await places(ctx, 1))[0]!;
  for (const delta of [4, -1]) await adjust(delta, `old ${delta}`);
  const entry = { ...place, delta: 2, key: 'both' };
  await adjustStock(ctx, { input: [entry, { ...other, delta: 1, key: 'other' }] }, { id: {} });
  await adjust(1, 'old too');
  const before = (await changeSets()).length;
  await age(sql`product_stock_location_id = any(${await countIds(place)})`);
  expect(await foldMovements({ ...ctx, across: database.across }, 99)).toBe(4);
  // That with the movement of the other count, and that of the last one, which has the sum now, stay.
  expect(await changeSets()).toHaveLength(before - 2);
  expect(await unusedChangeSets()).toEqual([]);
});

it('change sets of the movements of removed counts are removed, if nothing else belongs to them', async () => {
  for (const delta of [4, -1]) await adjust(delta, `${delta}`);
  await age(sql`true`);
  await database.db.execute(sql`delete from product_stock_location where merchant_id = ${ctx.merchantId}`);
  expect(await listed()).toEqual([]);
  expect(await unusedChangeSets()).toEqual([]);
});

it('doctor --references compares counts with more movements than one statement reads', async () => {
  const other = (await places(ctx, 1))[0]!;
  for (const key of 'abcde') await adjust(4, key);
  for (const key of 'fghi') await adjustStock(ctx, { input: [{ ...other, delta: 0.000001, key }] }, { id: {} });
  const own = sql`merchant_id = ${ctx.merchantId}`;
  for (const sliceRows of [1, 3, 4, 5, 9, 10]) expect(await wrong(sliceRows)).toBe(0);
  await database.db.execute(sql`update stock_movement set delta = 5 where ${own} and key = 'd'`);
  for (const sliceRows of [1, 3, 4, 5, 9, 10]) expect(await wrong(sliceRows)).toBe(1);
  await database.db.execute(sql`delete from stock_movement where ${own} and key = 'g'`);
  for (const sliceRows of [1, 3, 4, 5, 9, 10]) expect(await wrong(sliceRows)).toBe(2);
});

it('doctor --references finds a count that is not the sum of its movements', async () => {
  await adjust(4, 'a');
  await database.db.execute(
    sql`update stock_movement set delta = 5 where merchant_id = ${ctx.merchantId} and sequence = 1`,
  );
  expect(await brokenCounts()).toEqual(['stock_count']);
});

it('revertChanges adds the opposite difference, and keeps what was changed since', async () => {
  await save(10);
  const counting = { ...ctx, origin: changeOrigin({ merchantId: ctx.merchantId, operation: 'count' }) };
  await saveProductStockLocations(counting, { input: { productStockLocationInputs: [{ ...place, stockCount: 15 }] } });
  await adjust(-3, 'sold');
  const changes = await listChange(ctx, { operation: { eq: 'count' } }, { data: { id: {} } });
  const reverting = {
    ...ctx,
    origin: changeOrigin({
      merchantId: ctx.merchantId,
      operation: 'revertChanges',
      revertsChangeSetId: counting.origin.changeSetId,
    }),
  };
  await revertChanges(reverting, { input: { changeIds: changes.data.map(({ id }) => id) } });
  expect((await listed())[0]).toMatchObject({ kind: 'CORRECTED', delta: -5, countAfter: 7 });
});

function adjust(delta: number, key: string) {
  return adjustStock(ctx, { input: [{ ...place, delta, key, reference: 'order' }] }, { id: {} });
}

async function save(stockCount: number): Promise<void> {
  await saveProductStockLocations(ctx, { input: { productStockLocationInputs: [{ ...place, stockCount }] } });
}

async function listed() {
  return (await listStockMovement(ctx, {}, { data: movement })).data;
}

/** The number of counts that are wrong. */
async function wrong(sliceRows: number): Promise<number> {
  let found = 0;
  for await (const { broken } of wrongCounts(ctx, sliceRows)) found += broken.length;
  return found;
}

/** Of as many counts, which have no rows. */
async function insertMovements(count: number): Promise<void> {
  await database.owner.execute(sql`
    insert into stock_movement (merchant_id, id, product_stock_location_id, sequence, change_number, kind, delta, count_after,
      product_id, variant_id, stock_location_id, change_transaction_id, change_set_id, created_at)
    select ${ctx.merchantId}, uuid_v7(), uuid_v7(), 1, 1, 'CORRECTED', 1, 1, uuid_v7(), uuid_v7(), uuid_v7(), uuid_v7(),
      uuid_v7(), now()
    from generate_series(1, ${count}::integer)`);
}

async function brokenCounts(): Promise<string[]> {
  const members: string[] = [];
  for await (const { broken } of findBroken(ctx)) members.push(...broken.map(({ member }) => member));
  return members;
}

/** As movements that were made years ago: ids are made from the times, and keep their order. */
async function age(condition: SQL): Promise<void> {
  await database.db.execute(sql`
    update stock_movement set id = ('00' || substr(id::text, 3))::uuid, created_at = '1991-01-01Z'
    where merchant_id = ${ctx.merchantId} and ${condition}`);
}

async function countIds({ variantId }: Place): Promise<SQL> {
  const rows = await database.db.execute<{ id: string }>(sql`
    select id from product_stock_location where merchant_id = ${ctx.merchantId} and variant_id = ${variantId}`);
  return idArray(rows.map(({ id }) => id));
}

async function changeSets(): Promise<unknown[]> {
  return await database.db.execute(sql`select id from change_set where merchant_id = ${ctx.merchantId}`);
}

async function unusedChangeSets(): Promise<unknown[]> {
  const own = (table: string) =>
    sql`select change_set_id from ${sql.identifier(table)} where merchant_id = ${ctx.merchantId}`;
  const rows = await database.db.execute(sql`
    select id from change_set
    where merchant_id = ${ctx.merchantId} and id not in (${own('change')} union all ${own('stock_movement')})`);
  return [...rows];
}

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { changeOrigin } from '../../src/db/write/change-origin.ts';
import type { AdjustStockInput } from '../../src/graphql/generated/types.ts';
import { Batches } from '../../src/limits/batches.ts';
import { adjustStock } from '../../src/stock/adjustStock.ts';
import { listStockMovement } from '../../src/stock/listStockMovement.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Place, places } from './places.ts';

const movement = { id: {}, delta: {}, countAfter: {}, sequence: {}, key: {}, changeSet: { requestId: {}, actor: {} } };

let database: TestDatabase;
let owner: Context;
let batches: Batches;
let stock: Place[];

beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  owner = await createContext(database.db);
  batches = new Batches();
  stock = await places(owner, 3);
  for (const place of stock) await adjust({ ...place, delta: 100 });
});
afterAll(() => database.drop());

type Entry = Omit<AdjustStockInput, 'key'> & { key?: string };

/** As a request of its own. */
async function adjust({ key = newId(), ...entry }: Entry, requestId = 'first') {
  const { merchantId, session } = owner;
  const { authorizedAppId } = session;
  const origin = changeOrigin({ merchantId, authorizedAppId, operation: 'adjustStock', requestId, actor: requestId });
  const [made] = await adjustStock({ ...owner, batches, origin }, { input: [{ ...entry, key }] }, movement);
  return made!;
}

async function listed(variantId: string) {
  const { data } = await listStockMovement(
    owner,
    { variantId: { eq: variantId }, pagination: { limit: 200 } },
    { data: movement },
  );
  return data;
}

async function transactions(): Promise<number> {
  const [row] = await database.db.execute<{ count: number }>(sql`
    select count(distinct change_transaction_id)::int as count from stock_movement where merchant_id = ${owner.merchantId}`);
  return row!.count;
}

it('requests that arrive at the same time share transactions, and each has its own movement and change set', async () => {
  const before = await transactions();
  const made = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => await adjust({ ...stock[n % 3]!, delta: n + 1 }, `request ${n}`)),
  );
  expect(made.map(({ delta, changeSet }) => [delta, changeSet])).toEqual(
    made.map((_, n) => [n + 1, { requestId: `request ${n}`, actor: `request ${n}` }]),
  );
  for (const [index, { variantId }] of stock.entries()) {
    const all = await listed(variantId);
    const sum = 100 + made.filter((_, n) => n % 3 === index).reduce((total, { delta }) => total + delta, 0);
    expect(all[0]).toMatchObject({ countAfter: sum, sequence: 21 });
    expect(all.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 21 }, (_, n) => 21 - n));
  }
  expect((await transactions()) - before).toBeLessThan(10);
  const [open] = await database.db.execute(
    sql`select count(*)::int as count from change_transaction where merchant_id = ${owner.merchantId}`,
  );
  expect(open).toEqual({ count: 0 });
});

it('each is decided by itself, as if those before it were executed', async () => {
  const [one, other] = stock as [Place, Place];
  await adjust({ ...one, delta: 1, key: 'used' });
  const outcomes = await Promise.allSettled([
    adjust({ ...other, delta: 1 }),
    adjust({ ...one, delta: -61, expectedCount: 101 }),
    adjust({ ...one, delta: -61 }),
    adjust({ ...one, delta: -40, expectedCount: 40 }),
    adjust({ ...one, delta: -1, expectedCount: 101 }),
    adjust({ ...one, delta: -1, allowNegative: true }),
    adjust({ ...one, delta: 7, key: 'used' }),
    adjust({ ...one, delta: 1, key: 'used' }),
    adjust({ ...one, delta: 2_000_000_000_000 }),
    adjust({ ...one, variantId: newId(), delta: 1 }),
    adjust({ ...one, delta: 5, key: 'new' }),
    adjust({ ...one, delta: 5, key: 'new' }),
  ]);
  const [, , tooMany, , unexpected, , otherContent, repeated, tooLarge, unknown, added, again] = outcomes;
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(
    [1, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1].map((succeeds) => succeeds === 1),
  );
  expect(tooMany).toMatchObject({ reason: { code: 'CONFLICT', extensions: { refused: [{ available: 40 }] } } });
  expect(unexpected).toMatchObject({ reason: { code: 'CONFLICT', extensions: { refused: [{ found: 0 }] } } });
  expect(otherContent).toMatchObject({ reason: { code: 'CONFLICT', extensions: { keys: ['used'] } } });
  expect(repeated).toMatchObject({ value: { key: 'used', delta: 1 } });
  expect(tooLarge).toMatchObject({ reason: { code: 'ARGUMENT_VALIDATION_ERROR' } });
  expect(unknown).toMatchObject({ reason: { code: 'NOT_FOUND', extensions: { type: 'Variant' } } });
  expect(again).toEqual(added);
  const all = await listed(one.variantId);
  expect(all.map(({ delta }) => delta).toReversed()).toEqual([100, 1, -61, -40, -1, 5]);
});

it('requests that share a transaction tell their spans the ids of their movements', async () => {
  const told: unknown[] = [];
  const input = [{ ...stock[0]!, delta: 1, key: newId() }];
  const context = {
    ...owner,
    batches,
    origin: changeOrigin({ merchantId: owner.merchantId, operation: 'adjustStock' }),
  };
  const made = await adjustStock({ ...context, beforeCommit: (result) => told.push(result) }, { input }, movement);
  expect(told).toEqual([made]);
});

it('a count without a row, and a deleted one, are adjusted by a transaction of their own', async () => {
  const [deleted, other] = stock as [Place, Place];
  const fresh = (await places(owner, 1))[0]!;
  await database.db.execute(sql`
    update product_stock_location set deleted = true
    where merchant_id = ${owner.merchantId} and variant_id = ${deleted.variantId}`);
  const made = await Promise.all(
    [other, fresh, fresh, deleted, other].map(async (place) => await adjust({ ...place, delta: 3 })),
  );
  expect(made.map(({ countAfter }) => countAfter).toSorted((a, b) => a - b)).toEqual([3, 6, 103, 103, 106]);
  const [row] = await database.db.execute(sql`
    select deleted from product_stock_location
    where merchant_id = ${owner.merchantId} and variant_id = ${deleted.variantId}`);
  expect(row).toEqual({ deleted: false });
});

it('a count that another transaction has locked delays only its own requests', async ({ skip }) => {
  skip(database.placement.needsRelay, 'the nodes of a cluster do not get the time limit of locks');
  const [locked, free] = stock as [Place, Place];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const lock = database.db.transaction(async (transaction) => {
    await transaction.execute(sql`
      select from product_stock_location
      where merchant_id = ${owner.merchantId} and variant_id = ${locked.variantId} for update`);
    close();
    await opened;
  });
  await closed;
  let isDelayed = true;
  const delayed = adjust({ ...locked, delta: 1 }).finally(() => (isDelayed = false));
  const others = await Promise.all(Array.from({ length: 5 }, async () => await adjust({ ...free, delta: 1 })));
  expect(others.map(({ sequence }) => sequence).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6]);
  expect(isDelayed).toBe(true);
  open();
  await lock;
  expect(await delayed).toMatchObject({ countAfter: 101 });
});

it('requests that keep their own transaction are executed beside shared ones: several entries, or without a batch', async () => {
  const [one, other] = stock as [Place, Place];
  await Promise.all([
    ...Array.from({ length: 10 }, async () => await adjust({ ...one, delta: 1 })),
    ...Array.from({ length: 10 }, async () => {
      const input = [one, other].map((place) => ({ ...place, delta: 1, key: newId() }));
      await adjustStock({ ...owner, batches }, { input }, movement);
    }),
    ...Array.from({ length: 10 }, async () => {
      await adjustStock(owner, { input: [{ ...one, delta: 1, key: newId() }] }, movement);
    }),
  ]);
  expect((await listed(one.variantId))[0]).toMatchObject({ countAfter: 130, sequence: 31 });
  expect((await listed(other.variantId))[0]).toMatchObject({ countAfter: 110, sequence: 11 });
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { expireHolds } from '../../src/stock/hold/expire-holds.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { spyDatabase } from '../support/spy-database.ts';

/** More than two batches. */
const MANY = 2_500;

let database: TestDatabase;
let many: Context;
let few: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  await database.owner.execute(sql`delete from stock_hold`);
  many = await createContext(database.db);
  few = await createContext(database.db);
  await addHolds(many, MANY, '1 hour');
  await addHolds(few, 1, '1 second');
});
afterAll(() => database.drop());

/** Holds that have ended so long ago. */
async function addHolds({ db, merchantId }: Context, count: number, ago: string): Promise<void> {
  await db.execute(sql`
    insert into stock_hold (merchant_id, product_stock_location_id, product_id, variant_id, stock_location_id,
      quantity, key, created_at, expires_at)
    select ${merchantId}, uuid_v7(), uuid_v7(), uuid_v7(), uuid_v7(), 1, n, now(), now() - ${ago}::interval
    from generate_series(1, ${count}::int) as n`);
}

async function expired({ db, merchantId }: Context): Promise<number> {
  const holds = await db.execute(sql`select from stock_hold where merchant_id = ${merchantId} and status = 'EXPIRED'`);
  return holds.length;
}

it('serves merchants in turn, so that many due holds of one do not delay those of another', async () => {
  const served: string[] = [];
  const spy = spyDatabase('execute', async ({ owner, run }) => {
    if (owner !== '') served.push(owner);
    return await run();
  });
  expect(await expireHolds(database).finally(() => spy.mockRestore())).toBe(MANY + 1);
  expect(served).toHaveLength(4);
  expect(served.slice(0, 2)).toContain(few.merchantId);
});

it('ends the holds of a merchant while another one has locked all of its own', async () => {
  await many.db.transaction(async (db) => {
    await db.execute(sql`select from stock_hold where merchant_id = ${many.merchantId} for update`);
    expect(await expireHolds(database)).toBe(1);
  });
  expect(await expired(few)).toBe(1);
  expect(await expireHolds(database)).toBe(MANY);
});

it('leaves holds that have not ended', async () => {
  await addHolds(few, 1, '-1 hour');
  expect(await expireHolds(database)).toBe(MANY + 1);
  expect([await expired(many), await expired(few)]).toEqual([MANY, 1]);
});

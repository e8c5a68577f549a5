import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeOldChanges } from '../../src/change/remove-old-changes.ts';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { ON_NODES, rowsRead } from '../support/rows-read.ts';
import { waitForLocks } from '../support/wait-for-locks.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

const TABLES = ['change', 'change_part', 'change_set', 'changed_record'] as const;

async function counts({ db, merchantId }: Context): Promise<Record<string, number>> {
  const rows = await Promise.all(
    TABLES.map(async (table) => {
      const [row] = await db.execute<{ count: number }>(
        sql`select count(*)::int as count from ${sql.identifier(table)} where merchant_id = ${merchantId}`,
      );
      return [table, row!.count] as const;
    }),
  );
  return Object.fromEntries(rows);
}

async function saveTags({ db, merchantId }: Context, count: number): Promise<void> {
  await db.execute(sql`
    insert into product_tag (merchant_id, name)
    select ${merchantId}, 'tag ' || n from generate_series(1, ${sql.raw(String(count))}) n`);
}

/** As changes that were made years ago: ids are made from the times. */
async function age({ db, merchantId }: Context): Promise<void> {
  await db.execute(sql`
    update change set id = ('00' || substr(id::text, 3))::uuid, created_at = '1991-01-01Z'
    where merchant_id = ${merchantId}`);
}

it('removes changes of all merchants after their time, with their values and change sets', async () => {
  const shops = [await createContext(database.db), await createContext(database.db)];
  for (const shop of shops) await saveTags(shop, 1_200);
  for (const shop of shops) {
    await age(shop);
    await shop.db.execute(
      sql`update product_tag set name = 'new' where merchant_id = ${shop.merchantId} and name = 'tag 7'`,
    );
  }
  // The app of the context is a record too.
  expect(await removeOldChanges(database, 30)).toBe(2 * 1_201);
  for (const shop of shops)
    expect(await counts(shop)).toEqual({ change: 1, change_part: 1, change_set: 1, changed_record: 1_201 });
  expect(await removeOldChanges(database, 30)).toBe(0);
});

it('reads none of the changes that it keeps', async ({ skip }) => {
  skip(database.placement.needsRelay, ON_NODES);
  await saveTags(await createContext(database.db), 3_000);
  const read = await rowsRead(database, 'change', async () => await removeOldChanges(database, 30));
  expect(read).toBeLessThan(100);
});

it('says since when changes are kept before it removes the first one', async () => {
  const shop = await createContext(database.db);
  await saveTags(shop, 10);
  const own = sql`merchant_id = ${shop.merchantId}`;
  await age(shop);
  await shop.db.execute(sql`update merchant set history_since = now() - interval '40 days' where ${own}`);
  const days = async () => {
    const rows = await shop.db.execute<{ days: number }>(
      sql`select extract(epoch from now() - history_since)::float8 / 86400 as days from merchant where ${own}`,
    );
    return rows[0]!.days;
  };
  let removal!: Promise<number>;
  await database.owner.transaction(async (transaction) => {
    await transaction.execute(sql`select from change where ${own} limit 1 for update`);
    removal = removeOldChanges(database, 30);
    await waitForLocks(database.owner, 1);
    expect(await days()).toBeCloseTo(30, 2);
    expect(await counts(shop)).toMatchObject({ change: 11 });
  });
  expect(await removal).toBe(11);
  expect(await days()).toBeCloseTo(30, 2);
});

it('removes a change set whose movements another task is removing at the same time', async () => {
  const shop = await createContext(database.db);
  await saveTags(shop, 10);
  const own = sql`merchant_id = ${shop.merchantId}`;
  await shop.db.execute(sql`
    insert into stock_movement (merchant_id, product_stock_location_id, sequence, kind, delta, count_after, product_id,
      variant_id, stock_location_id, change_transaction_id, change_set_id, created_at)
    select ${shop.merchantId}, uuid_v7(), 1, 'SOLD', 1, 1, uuid_v7(), uuid_v7(), uuid_v7(), change_transaction_id, change_set_id,
      now()
    from change where ${own} limit 1`);
  await age(shop);
  let removal!: Promise<number>;
  await database.owner.transaction(async (transaction) => {
    const sets = sql`array(select distinct change_set_id from stock_movement where ${own})`;
    const [removed] = await transaction.execute<{ sets: string }>(sql`select ${sets}::text as sets`);
    await transaction.execute(sql`delete from stock_movement where ${own}`);
    await transaction.execute(
      sql`select remove_unused_change_sets(${shop.merchantId}::uuid, ${removed!.sets}::uuid[])`,
    );
    removal = removeOldChanges(database, 30);
    await waitForLocks(database.owner, 1);
  });
  expect(await removal).toBe(11);
  expect(await counts(shop)).toMatchObject({ change: 0, change_set: 0 });
});

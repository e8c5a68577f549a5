import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { saveCategory } from '../../../src/category/saveCategory.ts';
import type { Context } from '../../../src/context.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { updateMemberships } from '../../../src/product/membership/update-memberships.ts';
import { saveProduct } from '../../../src/product/saveProduct.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../worker/webhooks/receiver.ts';
import { plainProduct } from '../products.ts';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

/** Whether a category waits for older transactions. */
async function settle(): Promise<boolean> {
  let isWaiting = false;
  await updateMemberships(database, new AbortController().signal, { onWaiting: () => (isWaiting = true) });
  return isWaiting;
}

async function saveMugs(): Promise<string> {
  const conditions = [
    { conditionType: 'PRODUCT_NAME', valueList: ['mug'] },
    { conditionType: 'PRICE_RANGE', valueList: ['4999-4999'] },
  ];
  const input = { name: 'Mugs', isAutomated: true, conditions } as never;
  return (await saveCategory(ctx, { input }, { id: {} })).id;
}

async function listed(id: string): Promise<string> {
  const { data } = await listProduct(ctx, { categoryIds: { eq: id }, sort: 'name' }, { data: { name: {} } });
  return data.map(({ name }) => name).join();
}

async function rechecks(): Promise<number> {
  const rows = await database.db.execute(sql`select from membership_recheck where merchant_id = ${ctx.merchantId}`);
  return rows.length;
}

/** Changes products in a transaction, and calls `meanwhile` before it commits. */
async function during(change: (db: Database) => Promise<unknown>, meanwhile: () => Promise<void>): Promise<void> {
  await database.db.transaction(async (db) => {
    await change(db as never);
    await meanwhile();
  });
}

const CHANGES: [name: string, change: (merchantId: string, variantId: string) => SQL][] = [
  [
    'added',
    (merchantId) => sql`insert into product (merchant_id, name, type) values (${merchantId}, 'Late mug', 'PHYSICAL')`,
  ],
  ['renamed', (merchantId) => sql`update product set name = 'Late mug' where merchant_id = ${merchantId}`],
  [
    'priced',
    (merchantId, id) =>
      sql`update variant set prices = '[{"sellPrice":4999}]' where merchant_id = ${merchantId} and id = ${id}`,
  ],
];

it.each(CHANGES)('a first category gets a product that an older transaction has %s', async (_, change) => {
  const { variants } = await saveProduct(ctx, { input: plainProduct('Cup') as never }, { variants: { id: {} } });
  let mugs = '';
  await during(
    async (db) => await db.execute(change(ctx.merchantId, variants[0]!.id)),
    async () => {
      mugs = await saveMugs();
      await settle();
      expect(await listed(mugs)).toBe('');
      await settle();
      expect(await rechecks()).toBe(1);
    },
  );
  // The recheck waits for all older transactions, also those of other test files on this server.
  await until(settle, (isWaiting) => !isWaiting);
  expect(await listed(mugs)).toMatch(/^(Late mug|Cup)$/);
  expect(await rechecks()).toBe(0);
});

it('compares all products with conditions that are committed during a newer comparison', async () => {
  const { id } = await saveProduct(ctx, { input: plainProduct('Cup') as never }, { id: {} });
  const mugs = await saveMugs();
  await until(settle, (isWaiting) => !isWaiting);
  const cups = JSON.stringify([{ conditionType: 'PRODUCT_NAME', valueList: ['cup'] }]);
  await during(
    async (db) =>
      await db.execute(sql`
      update category set conditions = ${cups}::json where merchant_id = ${ctx.merchantId} and id = ${mugs}`),
    async () => {
      await database.db.execute(sql`
        insert into membership_pending_category (merchant_id, category_id, after_product_id)
        values (${ctx.merchantId}, ${mugs}, ${id})`);
    },
  );
  await settle();
  expect(await listed(mugs)).toBe('Cup');
});

it('tells that a category waits, although the work of another merchant fails', async (test) => {
  skipOnCluster(test, 'a cluster refuses a trigger that this test would add');
  const failing = ctx;
  await saveMugs();
  await database.owner.execute(sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`);
  await database.owner.execute(
    sql.raw(`create trigger refuse before delete on membership_pending_category for each row
      when (old.merchant_id = '${failing.merchantId}') execute function refuse()`),
  );
  ctx = await createContext(database.db);
  const told: boolean[] = [];
  await during(
    async (db) =>
      await db.execute(
        sql`insert into product (merchant_id, name, type) values (${ctx.merchantId}, 'Mug', 'PHYSICAL')`,
      ),
    async () => {
      await saveMugs();
      const onWaiting = () => void told.push(true);
      const updating = updateMemberships(database, new AbortController().signal, { onWaiting });
      await expect(updating).rejects.toThrow(failing.merchantId);
    },
  );
  expect(told).toEqual([true]);
  await database.owner.execute(sql`drop trigger refuse on membership_pending_category`);
});

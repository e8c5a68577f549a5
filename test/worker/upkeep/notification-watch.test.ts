import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { inDryRun } from '../../../src/db/connection/transaction.ts';
import { LAST_TIMES, NotificationWatch } from '../../../src/worker/upkeep/notification-watch.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { register } from '../../webhook/ledger.ts';

let database: TestDatabase;
let ctx: Context;
let woken: string[];
let watch: NotificationWatch;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async (test) => {
  skipOnCluster(test, 'no trigger notifies');
  for (const name of ['product_search', 'category_membership', 'webhook'])
    await database.owner.execute(sql`select setval(${`${name}_wake_up`}::regclass, 1)`);
  ctx = await createContext(database.db);
  woken = [];
  watch = new NotificationWatch((channel) => woken.push(channel));
  await look();
});
afterAll(() => database.drop());

const look = async (): Promise<void> => watch.read(await ctx.db.execute(LAST_TIMES));

async function rolledBack(work: (db: Context['db']) => Promise<unknown>): Promise<void> {
  const failing = database.db.transaction(async (transaction) => {
    await work(transaction);
    transaction.rollback();
  });
  await failing.catch(() => undefined);
}

it('wakes a task whose notification was rolled back, once', async () => {
  await rolledBack((db) =>
    db.execute(sql`insert into product_search_pending (merchant_id, product_id) values (${ctx.merchantId}, uuid_v7())`),
  );
  await look();
  await look();
  expect(woken).toEqual(['product_search']);
});

it('wakes the worker of webhooks if the notification of a push was rolled back', async () => {
  await register(ctx, ['store/customer/created']);
  await rolledBack((db) =>
    db.execute(sql`insert into customer (merchant_id, first_name) values (${ctx.merchantId}, 'Ada')`),
  );
  await look();
  expect(woken).toEqual(['webhook_delivery']);
});

it('wakes nothing without changes, and after a dry run', async () => {
  await inDryRun(ctx, async ({ db }) => {
    await db.execute(sql`
      insert into product_search_pending (merchant_id, product_id) values (${ctx.merchantId}, uuid_v7())`);
  });
  await look();
  expect(woken).toEqual([]);
});

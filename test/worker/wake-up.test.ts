import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { skipOnCluster } from '../support/cluster.ts';
import { register } from '../webhook/ledger.ts';

/** The time by which the clock of the server was set back after the last notification. */
const HOUR_MS = 3_600_000;
const NOTIFIED_WITHIN_MS = 3_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Whether the worker is notified of a change, although its last notification seems to be in the future. */
async function isNotified(channel: string, sequence: string, change: () => Promise<unknown>): Promise<boolean> {
  const { promise: notified, resolve } = Promise.withResolvers<boolean>();
  const unlisten = await database.listen(channel, () => resolve(true));
  await database.owner.execute(sql`select setval(${sequence}::regclass, ${Date.now() + HOUR_MS}::bigint)`);
  await change();
  const result = await Promise.race([notified, wait(NOTIFIED_WITHIN_MS, false)]);
  await unlisten();
  return result;
}

// docs/reliability-tests.md: 87
it('the worker is notified of new deliveries after the clock of the server was set back', async (test: TestContext) => {
  skipOnCluster(test, 'the relay makes the jobs, and polls');
  const ctx = await createContext(database.db);
  await register(ctx, ['store/customer/created']);
  const change = () =>
    ctx.db.execute(sql`insert into customer (merchant_id, first_name) values (${ctx.merchantId}, 'Ada')`);
  expect(await isNotified('webhook_delivery', 'webhook_wake_up', change)).toBe(true);
});

// docs/reliability-tests.md: 87
it('the worker is notified of changed products after the clock of the server was set back', async (test: TestContext) => {
  skipOnCluster(test, 'the worker polls');
  const ctx = await createContext(database.db);
  const change = () =>
    ctx.db.execute(sql`
      insert into product_search_pending (merchant_id, product_id) values (${ctx.merchantId}, uuid_v7())`);
  expect(await isNotified('product_search', 'product_search_wake_up', change)).toBe(true);
});

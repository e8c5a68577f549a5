import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ledgerFigures } from '../../../src/webhook/ledger/ledger-figures.ts';
import type { Context } from '../../../src/context.ts';
import { AcrossMerchants } from '../../../src/db/connection/across-merchants.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase, withoutTriggers } from '../../support/database.ts';
import { ON_NODES, rowsRead } from '../../support/rows-read.ts';
import { register } from '../ledger.ts';

const MAX_COUNTED = 100_000;

let database: TestDatabase;
/** A merchant with many deliveries that wait for a paused webhook, or for retries. */
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
  const addPaused = await deliveries(ctx, 'store/customer/created', 'PAUSED');
  await addPaused(MAX_COUNTED, '-1 day');
  const addRetried = await deliveries(ctx, 'store/customer/updated', 'ACTIVE');
  await addRetried(20_000, '1 hour');
  await database.owner.execute(sql`analyze webhook_delivery`);
});
afterAll(() => database.drop());

/** Registers a webhook of the merchant. Returns a function that adds deliveries to it, due after `dueIn`. */
async function deliveries(ctx: Context, scope: string, status: 'ACTIVE' | 'PAUSED') {
  await register(ctx, [scope], { status });
  return async (count: number, dueIn: string) =>
    await withoutTriggers(
      database.owner,
      async (owner) =>
        await owner.execute(sql`
          insert into webhook_delivery (merchant_id, id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, next_attempt_at)
          select merchant_id, uuid_v7(), id, authorized_app_id, scope, endpoint, id, n, '{}', now() + ${dueIn}::interval
          from webhook, generate_series(1, ${count}::int) n where merchant_id = ${ctx.merchantId} and scope = ${scope}`),
    );
}

it('reads few deliveries besides those that it counts', async ({ skip }) => {
  skip(database.placement.needsRelay, ON_NODES);
  // `rowsRead` sees what these connections read.
  const across = new AcrossMerchants(database.db);
  const read = await rowsRead(database, 'webhook_delivery', async () => await ledgerFigures({ across }));
  expect(read).toBeLessThan(MAX_COUNTED + 1_000);
});

it('tells the age of a due delivery beside any number that wait for paused webhooks or for retries', async () => {
  expect(await ledgerFigures(database)).toEqual({ waiting: MAX_COUNTED, oldestDueS: 0, pausedWebhooks: 1 });
  const addDue = await deliveries(ctx, 'store/product/created', 'ACTIVE');
  await addDue(1, '-400 seconds');
  await addDue(1, '-300 seconds');
  const other = await createContext(database.db);
  const addOther = await deliveries(other, 'store/customer/created', 'ACTIVE');
  await addOther(1, '-200 seconds');
  const { oldestDueS } = await ledgerFigures(database);
  expect(oldestDueS).toBeGreaterThanOrEqual(400);
  expect(oldestDueS).toBeLessThan(440);
}, 30_000);

it('counts deliveries of a resumed webhook as due since their events', async () => {
  const add = await deliveries(await createContext(database.db), 'store/product/updated', 'ACTIVE');
  await add(150, '-1 second');
  await database.owner.execute(sql`
    update webhook_delivery set next_attempt_at = null, created_at = now() - interval '500 seconds'
    where scope = 'store/product/updated'`);
  expect((await ledgerFigures(database)).oldestDueS).toBeGreaterThanOrEqual(500);
});

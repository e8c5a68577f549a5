import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ledgerFigures } from '../../../src/webhook/ledger/ledger-figures.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { register } from '../ledger.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

it('tells the age of a due delivery beside any number that wait for paused webhooks', async () => {
  const ctx = await createContext(database.db);
  await register(ctx, ['store/customer/created'], { status: 'PAUSED' });
  await register(ctx, ['store/customer/updated']);
  const add = async (scope: string, count: number, dueAt: string | null) =>
    await ctx.db.execute(sql`
      insert into webhook_delivery (merchant_id, id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, next_attempt_at)
      select merchant_id, uuid_v7(), id, authorized_app_id, scope, endpoint, id, n, '{}', now() + ${dueAt}::interval
      from webhook, generate_series(1, ${count}::int) n where merchant_id = ${ctx.merchantId} and scope = ${scope}`);
  await add('store/customer/created', 100_000, null);
  await add('store/customer/updated', 1, '1 hour');
  expect(await ledgerFigures(database)).toEqual({ waiting: 100_000, oldestDueS: 0, pausedWebhooks: 1 });
  await add('store/customer/updated', 1, '-400 seconds');
  await add('store/customer/updated', 1, '-300 seconds');
  const { oldestDueS } = await ledgerFigures(database);
  expect(oldestDueS).toBeGreaterThanOrEqual(400);
  expect(oldestDueS).toBeLessThan(440);
}, 30_000);

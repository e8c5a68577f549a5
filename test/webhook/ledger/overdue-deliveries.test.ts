import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queueOverdueDeliveries } from '../../../src/webhook/ledger/overdue-deliveries.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { register } from '../ledger.ts';

const BATCH_SIZE = 1_000;

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

it('overdue deliveries are queued in batches, each behind the last row of the one before', async () => {
  const ctx = await createContext(database.db);
  await register(ctx, ['store/customer/created']);
  const rows = await database.owner.execute<{ id: string }>(sql`
    insert into webhook_delivery
      (merchant_id, id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, next_attempt_at)
    select merchant_id, uuid_v7(), id, authorized_app_id, scope, endpoint, uuid_v7(), n, '{}', now() - interval '1 hour'
    from webhook, generate_series(1, ${BATCH_SIZE + 1}::int) n where merchant_id = ${ctx.merchantId} order by n
    returning id`);
  const ids = rows.map(({ id }) => id).toSorted();
  const { next } = await queueOverdueDeliveries(database, null);
  expect(next).toMatchObject({ merchantId: ctx.merchantId, id: ids[BATCH_SIZE - 1] });
  const { next: end } = await queueOverdueDeliveries(database, next);
  expect(end).toBeNull();
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimDeliveries } from '../../../src/webhook/ledger/claim-deliveries.ts';
import { settleDeliveries } from '../../../src/webhook/ledger/settle-deliveries.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { createEvents, save } from '../deliveries.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('queues the retry before it writes the outcome, so that nothing is lost if it fails between', async () => {
  const ctx = await createContext(database.db);
  await save(ctx, ['store/customer/created']);
  const ids = await createEvents(ctx, 1);
  const [delivery] = await claimDeliveries(ctx, ids);
  // PostgreSQL cannot store this character in jsonb.
  const log = { at: Date.now(), statusCode: null, error: 'a\u0000b', durationMs: 1 };
  const outcome = { ...delivery!, delivered: false, log };
  await expect(settleDeliveries(ctx, [outcome], [60_000, 60_000])).rejects.toMatchObject({ cause: { code: '22P05' } });
  const jobs = await database.owner.execute(sql`
    select start_after > now() + interval '50 s' as "isMoved" from pgboss.job
    where name = 'webhook-delivery' and id = ${ids[0]}`);
  expect([...jobs]).toEqual([{ isMoved: true }]);
  const stored = await database.db.execute(sql`
    select claimed_at is not null as "isClaimed" from webhook_delivery
    where merchant_id = ${ctx.merchantId} and id = ${ids[0]}`);
  expect([...stored]).toEqual([{ isClaimed: true }]);
});

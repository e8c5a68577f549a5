import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspectQueue } from '../../../src/webhook/ledger/inspect-queue.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { createEvents, save } from '../deliveries.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

it('frees the jobs of dead workers without those that another transaction has locked', async () => {
  const ctx = await createContext(database.db);
  await save(ctx, ['store/customer/created']);
  const [locked, free] = await createEvents(ctx, 2);
  await database.owner.execute(sql`
    update pgboss.job set state = 'active', started_on = now() - interval '1 hour' where name = 'webhook-delivery'`);
  await database.owner.transaction(async (locking) => {
    await locking.execute(sql`select from pgboss.job where name = 'webhook-delivery' and id = ${locked} for update`);
    await inspectQueue(database.db);
    const freed = await locking.execute(sql`
      select id from pgboss.job where name = 'webhook-delivery' and state = 'created'`);
    expect([...freed]).toEqual([{ id: free }]);
  });
});

import { sql } from 'drizzle-orm';
import { expect, it, onTestFinished } from 'vitest';
import { openQueue } from '../../../src/worker/webhooks/queue.ts';
import { openLog } from '../../../src/process/log.ts';
import { createDatabase } from '../../support/database.ts';

it('a poll that waits for a lock is ended in the database, too', async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const queue = await openQueue(database.url, openLog('silent'));
  onTestFinished(() => queue.close());
  await database.owner.transaction(async (tx) => {
    await tx.execute(sql`lock table pgboss.job in access exclusive mode`);
    await expect(queue.takeFromMerchants({ limit: 1, below: 1, exceptLanes: [] })).rejects.toThrow('statement timeout');
  });
  const left = await database.owner.execute(sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = 'commerce-queue' and state = 'active'`);
  expect(left).toHaveLength(0);
});

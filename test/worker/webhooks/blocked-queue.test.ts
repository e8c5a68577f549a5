import { sql } from 'drizzle-orm';
import { expect, it, onTestFinished } from 'vitest';
import { openQueue } from '../../../src/worker/webhooks/queue.ts';
import { openLog } from '../../../src/process/log.ts';
import { MERCHANT_LANES } from '../../../src/worker/webhooks/job.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase } from '../../support/database.ts';
import { register } from '../../webhook/ledger.ts';

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

it('jobs that a redelivery has locked are left alone, and the others are returned and removed at once', async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const ctx = await createContext(database.db);
  await register(ctx, ['store/customer/created']);
  await database.db.execute(sql`
    insert into customer (merchant_id, first_name) select ${ctx.merchantId}, 'Ada' from generate_series(1, 4)`);
  const queue = await openQueue(database.url, openLog('silent'));
  onTestFinished(() => queue.close());
  const jobs = await queue.takeFromMerchants({ limit: 100, below: MERCHANT_LANES, exceptLanes: [] });
  const [first, second, third, fourth] = jobs;
  const states = async (): Promise<unknown[]> => {
    const rows = await database.owner.execute<{ id: string; state: string }>(sql`select id, state from pgboss.job`);
    return jobs.map((job) => rows.find(({ id }) => id === job.id)?.state);
  };
  await database.owner.transaction(async (tx) => {
    await tx.execute(sql`
      select from pgboss.job where id = any(${`{${first!.id},${third!.id}}`}::uuid[]) for update`);
    await queue.giveBack([first!, second!], 'endpoints');
    await queue.remove([third!, fourth!]);
  });
  expect(await states()).toEqual(['active', 'created', 'active', undefined]);
});

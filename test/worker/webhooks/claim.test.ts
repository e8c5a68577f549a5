import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../../src/db/connection/connect.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import { claim } from '../../../src/worker/webhooks/claim.ts';
import { EndpointSlots } from '../../../src/worker/webhooks/endpoint-slots.ts';
import type { Job } from '../../../src/worker/webhooks/job.ts';
import { PayloadBudget } from '../../../src/worker/webhooks/payload-budget.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { createEvents, save } from '../../webhook/deliveries.ts';

/** Longer than the 4 s that a claim may take. */
const LATE_S = 4.2;

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

/** Two deliveries of a new merchant. */
async function createJobs(): Promise<[Job, Job]> {
  const ctx = await createContext(database.db);
  await save(ctx, ['store/customer/created']);
  const ids = await createEvents(ctx, 2);
  return ids.map((id) => ({ id, merchantId: ctx.merchantId, endpointKey: 'key', retryCount: 0 })) as [Job, Job];
}

async function claimJobs(db: Database, jobs: [Job, Job]) {
  const slots = new EndpointSlots();
  for (const job of jobs) slots.take(job);
  return await claim({ db, slots, budget: new PayloadBudget() }, jobs[0].merchantId, jobs);
}

/** Makes a claim as slow as in a database that has too much to do. */
async function delayClaim({ merchantId, id }: Job): Promise<void> {
  await database.owner.execute(sql`
    create function delay_claim() returns trigger language plpgsql as $$
    begin
      perform pg_sleep(${sql.raw(String(LATE_S))});
      return null;
    end $$`);
  await database.owner.execute(sql`
    create trigger delay_claim after update on webhook_delivery for each row
    when (new.claimed_at is not null and new.merchant_id = ${sql.raw(`'${merchantId}'`)} and new.id = ${sql.raw(`'${id}'`)})
    execute function delay_claim()`);
}

// Both wait for the same time, each with a merchant of its own.
it.concurrent('a claim that is late, for which no request is made, uses up no attempt and can be made again at once', async (test) => {
  skipOnCluster(test, 'its owner cannot create triggers on distributed tables');
  const jobs = await createJobs();
  await delayClaim(jobs[0]);
  expect(await claimJobs(database.db, jobs)).toEqual({ claims: [], unclaimed: jobs });
  const rows = await database.db.execute(
    sql`select attempts, claimed_at, attempt_log from webhook_delivery where merchant_id = ${jobs[0].merchantId}`,
  );
  expect([...rows]).toEqual(jobs.map(() => ({ attempts: 0, claimed_at: null, attempt_log: [] })));
}, 20_000);

it.concurrent('a claim that has waited for a connection is not late', async () => {
  const jobs = await createJobs();
  const connection = connect(database.url, { poolSize: 1, statementTimeoutMs: 15_000, ...database.placement.work });
  const before = connection.db.execute(sql`select pg_sleep(${LATE_S}::float8)`);
  expect((await claimJobs(connection.db, jobs)).claims.map(({ delivery }) => delivery.attempt)).toEqual([1, 1]);
  await before;
  await connection.close();
}, 20_000);

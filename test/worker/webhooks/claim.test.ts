import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
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
let ctx: Context;
let jobs: Job[];
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
  await save(ctx, ['store/customer/created']);
  const ids = await createEvents(ctx, 2);
  jobs = ids.map((id) => ({ id, merchantId: ctx.merchantId, endpointKey: 'key', retryCount: 0 }));
});

async function claimJobs(db: Database) {
  const slots = new EndpointSlots();
  for (const job of jobs) slots.take(job);
  return await claim({ db, slots, budget: new PayloadBudget() }, ctx.merchantId, jobs);
}

/** Makes claims as slow as in a database that has too much to do. */
async function delayClaims(): Promise<void> {
  await database.owner.execute(sql`
    create function delay_claim() returns trigger language plpgsql as $$
    begin
      perform pg_sleep(${sql.raw(String(LATE_S))});
      return null;
    end $$`);
  await database.owner.execute(sql`
    create trigger delay_claim after update on webhook_delivery for each row
    when (new.claimed_at is not null and new.merchant_id = ${sql.raw(`'${ctx.merchantId}'`)} and new.id = ${sql.raw(`'${jobs[0]!.id}'`)})
    execute function delay_claim()`);
}

it('a claim that is late, for which no request is made, uses up no attempt and can be made again at once', async (test) => {
  skipOnCluster(test, 'its owner cannot create triggers on distributed tables');
  await delayClaims();
  expect(await claimJobs(database.db)).toEqual({ claims: [], unclaimed: jobs });
  const rows = await database.db.execute(
    sql`select attempts, claimed_at, attempt_log from webhook_delivery where merchant_id = ${ctx.merchantId}`,
  );
  expect([...rows]).toEqual(jobs.map(() => ({ attempts: 0, claimed_at: null, attempt_log: [] })));
}, 20_000);

it('a claim that has waited for a connection is not late', async () => {
  const connection = connect(database.url, { poolSize: 1, statementTimeoutMs: 15_000, ...database.placement.work });
  const before = connection.db.execute(sql`select pg_sleep(${LATE_S}::float8)`);
  expect((await claimJobs(connection.db)).claims.map(({ delivery }) => delivery.attempt)).toEqual([1, 1]);
  await before;
  await connection.close();
}, 20_000);

import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import { newId } from '../../../src/db/sql/id.ts';
import type { AttemptOutcome } from '../../../src/webhook/ledger/settle-deliveries.ts';
import type { Job } from '../../../src/worker/webhooks/job.ts';
import type { Queue } from '../../../src/worker/webhooks/queue.ts';
import { Settler } from '../../../src/worker/webhooks/settle.ts';
import { silent } from '../../image/log.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { waitForLocks } from '../../support/wait-for-locks.ts';
import { register } from '../../webhook/ledger.ts';
import { until } from './receiver.ts';
import { sending } from './sending.ts';

const CREATED = ['store/customer/created'];
/** Less than a claim, after which a delivery would be sent again. */
const SETTLED_WITHIN_MS = 8_000;
/**
 * A claim that waits for a lock fails after the statement timeout of the worker, 15 s. A push that is sent much earlier has
 * not waited for such a claim.
 */
const PUSHED_WITHIN_MS = 4_000;
/** More than a worker has connections. */
const LOCKED_CLAIMS = 8;

const merchantId = newId();
const jobs = [1, 2].map(() => ({ id: newId(), merchantId, endpointKey: 'key', retryCount: 0 }));
const answer = { at: 0, statusCode: 200, error: null, durationMs: 1 };
const outcome: AttemptOutcome = {
  id: jobs[0]!.id,
  webhookId: newId(),
  endpoint: 'https://receiver.example/',
  attempt: 1,
  delivered: true,
  log: answer,
};

const { db, owner, shop, start, receiver, addCustomers, statesOf, logOf } = sending();

const isDelivered =
  (count: number) =>
  ({ DELIVERED }: Record<string, number>): boolean =>
    DELIVERED === count;

/** Two merchants with a receiver each. That of the first answers only after `answer`. */
async function twoShops() {
  const [first, second] = [await shop(), await shop()];
  const asked = Promise.withResolvers<void>();
  const slow = await receiver((_, response) => void asked.promise.then(() => response.writeHead(200).end()));
  const quick = await receiver();
  await register(first, CREATED, { endpoint: slow.url });
  await register(second, CREATED, { endpoint: quick.url });
  return { first, second, slow, quick, answer: () => asked.resolve() };
}

async function pushTo(ctx: Context, { received }: { received: unknown[] }): Promise<void> {
  await addCustomers(ctx, 1);
  await until(
    () => received.length,
    (count) => count === 1,
  );
}

it("settles a merchant's deliveries while another merchant's are locked, each once", async () => {
  const { first, second, slow, quick, answer } = await twoShops();
  await start(first);
  await pushTo(first, slow);
  await owner().transaction(async (locking) => {
    await locking.execute(sql`select from webhook_delivery where merchant_id = ${first.merchantId} for update`);
    answer();
    await waitForLocks(db(), 1);
    await addCustomers(second, 20);
    await until(() => statesOf(second), isDelivered(20), SETTLED_WITHIN_MS);
    expect(await statesOf(first)).toEqual({ PENDING: 1 });
  });
  await until(() => statesOf(first), isDelivered(1));
  expect(slow.received).toHaveLength(1);
  expect(quick.received).toHaveLength(20);
});

it("settles a merchant's deliveries while those of another merchant cannot be written, each once", async () => {
  const { first, second, slow, quick, answer } = await twoShops();
  await start(first);
  await pushTo(first, slow);
  await owner().execute(
    sql.raw(`alter table webhook_delivery
      add constraint cannot_settle check (merchant_id <> '${first.merchantId}' or state <> 'DELIVERED') not valid`),
  );
  answer();
  await addCustomers(second, 20);
  await until(() => statesOf(second), isDelivered(20), SETTLED_WITHIN_MS);
  expect(await statesOf(first)).toEqual({ PENDING: 1 });
  await owner().execute(sql`alter table webhook_delivery drop constraint cannot_settle`);
  await until(() => statesOf(first), isDelivered(1));
  expect(slow.received).toHaveLength(1);
  expect(quick.received).toHaveLength(20);
});

it('sends no delivery again whose claim has lapsed while its outcome waits to be written', async (test) => {
  skipOnCluster(test, 'a distributed table has no such trigger');
  const ctx = await shop();
  const { received, url } = await receiver();
  await register(ctx, CREATED, { endpoint: url });
  // A statement trigger, because a row trigger would hold a lock of the row while it waits.
  await owner().execute(sql`
    create function hold_outcome() returns trigger language plpgsql as $$
    begin
      if current_query() like '%as outcome%' then perform pg_advisory_xact_lock(4712); end if;
      return null;
    end $$`);
  await owner().execute(
    sql`create trigger hold_outcome before update on webhook_delivery for each statement execute function hold_outcome()`,
  );
  await start(ctx);
  await owner().transaction(async (locking) => {
    await locking.execute(sql`select pg_advisory_xact_lock(4712)`);
    await pushTo(ctx, { received });
    await waitForLocks(db(), 1);
    await lapse(ctx, received[0]!.id);
    await until(activeJobs, (count) => count === 1);
    await addCustomers(ctx, 1);
    await until(
      () => received.length,
      (count) => count > 1,
    );
  });
  await until(() => statesOf(ctx), isDelivered(2));
  expect(received).toHaveLength(2);
  expect(await logOf(ctx, received[0]!.id)).toMatchObject({ attempts: 1, log: [{ statusCode: 200 }] });
  await owner().execute(sql`drop function hold_outcome cascade`);
});

/** Makes a delivery and its job as they are 15 s after its claim. */
async function lapse({ merchantId }: Context, id: string): Promise<void> {
  await owner().execute(sql`
    update webhook_delivery set claimed_at = now() - interval '16 s' where merchant_id = ${merchantId} and id = ${id}`);
  await owner().execute(sql`
    update pgboss.job set state = 'created', started_on = null, retry_count = 0, start_after = now()
    where name = 'webhook-delivery' and id = ${id}`);
}

it("sends a merchant's deliveries while many claims of another merchant wait for locks", async (test) => {
  skipOnCluster(test, 'a distributed table has no such trigger');
  const { first, second, slow, quick, answer } = await twoShops();
  answer();
  await owner().execute(sql`
    create function wait_for_lock() returns trigger language plpgsql
    as $$ begin perform pg_advisory_xact_lock(4711); return new; end $$`);
  await owner().execute(
    sql.raw(`create trigger wait_for_lock before update on webhook_delivery for each row
      when (new.merchant_id = '${first.merchantId}') execute function wait_for_lock()`),
  );
  await start(first);
  await owner().transaction(async (locking) => {
    await locking.execute(sql`select pg_advisory_xact_lock(4711)`);
    for (let taken = 1; taken <= LOCKED_CLAIMS; taken++) {
      await addCustomers(first, 1);
      await until(activeJobs, (count) => count === taken);
    }
    await addCustomers(second, 1);
    await until(
      () => quick.received.length,
      (count) => count === 1,
      PUSHED_WITHIN_MS,
    );
    expect(slow.received).toEqual([]);
  });
  await until(() => statesOf(first), isDelivered(LOCKED_CLAIMS));
  await owner().execute(sql`drop function wait_for_lock cascade`);
});

it('tries again to write an outcome until it is closed', async () => {
  const { settler, failures } = unavailable();
  const settled = settler.settle(jobs[0]!, outcome);
  await until(
    () => failures.length,
    (count) => count >= 2,
  );
  const { length } = failures;
  settler.close();
  await settled;
  await settler.flush();
  expect(failures).toEqual(Array(length + 1).fill('settle'));
});

it('tries once to remove jobs, those of one turn together', async () => {
  const { settler, failures, removed } = unavailable(db());
  await settler.settleUnclaimed(jobs[0]!.merchantId, jobs);
  await settler.flush();
  expect(failures).toEqual(['remove']);
  expect(removed).toEqual([jobs]);
});

/** A settler whose queue removes nothing, by default without a database. */
function unavailable(database = {} as Database) {
  const failures: string[] = [];
  const removed: Job[][] = [];
  const remove = async (jobs: Job[]) => {
    removed.push(jobs);
    throw new Error('not removed');
  };
  const settler = new Settler({
    db: database,
    queue: { remove } as unknown as Queue,
    retryDelaysMs: [1, 1],
    onRetry: () => {},
    onDue: () => {},
    log: silent,
    onError: (_, work) => void failures.push(work),
  });
  return { settler, failures, removed };
}

async function activeJobs(): Promise<number> {
  const rows = await owner().execute(sql`select from pgboss.job where name = 'webhook-delivery' and state = 'active'`);
  return rows.length;
}

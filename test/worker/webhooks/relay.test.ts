import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { relayDeliveries, relayDeliveriesOf } from '../../../src/webhook/ledger/relay-deliveries.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { createEvents, save } from '../../webhook/deliveries.ts';
import { queuedIds } from '../../webhook/ledger.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Makes events without jobs, as on a cluster, where no trigger makes jobs. */
async function unqueuedEvents(count: number): Promise<{ ctx: Context; ids: string[] }> {
  const ctx = await createContext(database.db);
  await save(ctx, ['store/customer/created']);
  const ids = await createEvents(ctx, count);
  await unqueue(ctx, ids);
  return { ctx, ids };
}

async function unqueue(ctx: Context, ids: readonly string[]): Promise<void> {
  await database.db.execute(sql`update webhook_delivery set is_queued = false where merchant_id = ${ctx.merchantId}`);
  await dropJobs(ids);
}

async function dropJobs(ids: readonly string[]): Promise<void> {
  await database.owner.execute(
    sql`delete from pgboss.job where name = 'webhook-delivery' and id = any(${`{${ids.join()}}`}::uuid[])`,
  );
}

/**
 * Counts the jobs of these deliveries. `queuedIds` is not used, because on a cluster it first makes the missing jobs.
 */
async function jobsOf(ids: readonly string[]): Promise<number> {
  const jobs = await database.owner.execute(sql`
    select from pgboss.job where name = 'webhook-delivery' and id = any(${`{${ids.join()}}`}::uuid[])`);
  return jobs.length;
}

it('makes one job for each delivery of any merchant that has none', async () => {
  const [one, two] = [await unqueuedEvents(3), await unqueuedEvents(2)];
  // On a cluster the second call has made the jobs of the first one.
  await unqueue(one.ctx, one.ids);
  expect(await relayDeliveries(database)).toBe(5);
  expect((await queuedIds(database.db)).isSupersetOf(new Set([...one.ids, ...two.ids]))).toBe(true);
  await dropJobs(one.ids);
  expect(await relayDeliveries(database)).toBe(0);
  expect((await queuedIds(database.db)).isDisjointFrom(new Set(one.ids))).toBe(true);
});

it('makes the jobs of the named merchants, and of no others', async () => {
  const [one, two, other] = [await unqueuedEvents(3), await unqueuedEvents(2), await unqueuedEvents(1)];
  // On a cluster the later calls have made the jobs of the earlier ones.
  for (const { ctx, ids } of [one, two, other]) await unqueue(ctx, ids);
  await relayDeliveriesOf(database, [one.ctx.merchantId, two.ctx.merchantId]);
  expect(await jobsOf([...one.ids, ...two.ids])).toBe(5);
  expect(await jobsOf(other.ids)).toBe(0);
  expect(await relayDeliveries(database)).toBe(1);
});

it('makes no second job after a crash between its two steps', async () => {
  const { ctx, ids } = await unqueuedEvents(2);
  await relayDeliveries(database);
  await database.db.execute(sql`update webhook_delivery set is_queued = false where merchant_id = ${ctx.merchantId}`);
  expect(await relayDeliveries(database)).toBe(2);
  expect(await jobsOf(ids)).toBe(2);
});

it('makes no jobs for deliveries of paused webhooks', async () => {
  const { ctx, ids } = await unqueuedEvents(1);
  await database.db.execute(
    sql`update webhook_delivery set next_attempt_at = null where merchant_id = ${ctx.merchantId}`,
  );
  expect(await relayDeliveries(database)).toBe(0);
  expect((await queuedIds(database.db)).isDisjointFrom(new Set(ids))).toBe(true);
});

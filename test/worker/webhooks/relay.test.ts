import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import type { AcrossMerchants } from '../../../src/db/connection/across-merchants.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import { relayDeliveries, relayDeliveriesOf } from '../../../src/webhook/ledger/relay-deliveries.ts';
import { startRelay } from '../../../src/worker/webhooks/start-relay.ts';
import { silent } from '../../image/log.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { createEvents, save } from '../../webhook/deliveries.ts';
import { eventsOf, queuedIds } from '../../webhook/ledger.ts';

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

it('makes the jobs of one merchant, and of no other', async () => {
  const [one, other] = [await unqueuedEvents(3), await unqueuedEvents(1)];
  // On a cluster the second call has made the jobs of the first one.
  for (const { ctx, ids } of [one, other]) await unqueue(ctx, ids);
  await relayDeliveriesOf(one.ctx);
  expect(await jobsOf(one.ids)).toBe(3);
  expect(await jobsOf(other.ids)).toBe(0);
  expect(await relayDeliveries(database)).toBe(1);
});

/** Starts a relay on a cluster of which a node is away: what reads all shards fails. Returns how it is notified. */
async function startWithoutNode(db: Database) {
  const fail = async () => await Promise.reject(new Error('a node is away'));
  const notified = Promise.withResolvers<(payload: string) => void>();
  const listen = async (_: string, onPayload: (payload: string) => void) => {
    notified.resolve(onPayload);
    return async () => {};
  };
  const across = { rows: fail } as unknown as AcrossMerchants;
  const relay = await startRelay({ db, across, listen }, { log: silent });
  const notify = await notified.promise;
  return { ...relay, notify: (...contexts: Context[]) => notify(contexts.map((ctx) => ctx.merchantId).join()) };
}

/** Customers of plain SQL, and the ids of their deliveries without jobs. */
async function manyUnqueued(ctx: Context, count: number): Promise<string[]> {
  await database.db.execute(
    sql`insert into customer (merchant_id, first_name) select ${ctx.merchantId}, 'n' from generate_series(1, ${count}::int)`,
  );
  const ids = (await eventsOf(ctx)).map(({ id }) => id);
  await unqueue(ctx, ids);
  return ids;
}

it('makes all jobs of a merchant that has changed many records, also while a node of the cluster is away', async () => {
  const ctx = await createContext(database.db);
  await save(ctx, ['store/customer/created']);
  const ids = await manyUnqueued(ctx, 600);
  const relay = await startWithoutNode(database.db);
  relay.notify(ctx);
  await expect.poll(() => jobsOf(ids), { timeout: 15_000 }).toBe(600);
  await relay.stop();
});

it('makes the jobs of merchants that were notified together with one whose node is away', async () => {
  const [away, one, two] = [await unqueuedEvents(1), await unqueuedEvents(1), await unqueuedEvents(1)];
  for (const { ctx, ids } of [away, one, two]) await unqueue(ctx, ids);
  const relay = await startWithoutNode(failingFor(away.ctx.merchantId));
  relay.notify(away.ctx, one.ctx, two.ctx);
  await expect.poll(() => jobsOf([...one.ids, ...two.ids]), { timeout: 15_000 }).toBe(2);
  await relay.stop();
  expect(await jobsOf(away.ids)).toBe(0);
});

/** The database, in which statements about this merchant fail. */
function failingFor(merchantId: string): Database {
  const { db } = database;
  const execute = async (query: SQL) => {
    const { params } = new PgDialect().sqlToQuery(query);
    if (params.includes(merchantId)) throw new Error('its node is away');
    return await db.execute(query);
  };
  return new Proxy(db, { get: (target, key) => (key === 'execute' ? execute : Reflect.get(target, key)) });
}

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

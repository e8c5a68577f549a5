import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { relayDeliveries } from '../../../src/webhook/ledger/relay-deliveries.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { createEvents, save } from '../../webhook/deliveries.ts';
import { queuedIds } from '../../webhook/ledger.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Events as on a cluster, where no trigger makes jobs. */
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

it('makes a job for each delivery of any merchant that has none, once', async () => {
  const [one, two] = [await unqueuedEvents(3), await unqueuedEvents(2)];
  // On a cluster the second call has made the jobs of the first one.
  await unqueue(one.ctx, one.ids);
  expect(await relayDeliveries(database)).toBe(5);
  expect((await queuedIds(database.db)).isSupersetOf(new Set([...one.ids, ...two.ids]))).toBe(true);
  await dropJobs(one.ids);
  expect(await relayDeliveries(database)).toBe(0);
  expect((await queuedIds(database.db)).isDisjointFrom(new Set(one.ids))).toBe(true);
});

it('makes no second job after a crash between its two steps', async () => {
  const { ctx, ids } = await unqueuedEvents(2);
  await relayDeliveries(database);
  await database.db.execute(sql`update webhook_delivery set is_queued = false where merchant_id = ${ctx.merchantId}`);
  expect(await relayDeliveries(database)).toBe(2);
  const jobs = await database.owner.execute(sql`
    select from pgboss.job where name = 'webhook-delivery' and id = any(${`{${ids.join()}}`}::uuid[])`);
  expect(jobs).toHaveLength(2);
});

it('leaves deliveries of paused webhooks alone', async () => {
  const { ctx, ids } = await unqueuedEvents(1);
  await database.db.execute(
    sql`update webhook_delivery set next_attempt_at = null where merchant_id = ${ctx.merchantId}`,
  );
  expect(await relayDeliveries(database)).toBe(0);
  expect((await queuedIds(database.db)).isDisjointFrom(new Set(ids))).toBe(true);
});

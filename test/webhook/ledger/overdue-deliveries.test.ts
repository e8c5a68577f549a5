import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { LedgerSweep } from '../../../src/worker/webhooks/ledger-sweep.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import type { Context } from '../../../src/context.ts';
import { queuedIds, register } from '../ledger.ts';

/** Deliveries of one merchant that one sweep queues. */
const MAX_PER_MERCHANT = 5_000;

let database: TestDatabase;
let ledgerSweep: LedgerSweep;
beforeAll(async () => void (database = await createDatabase()));
beforeEach(() => void (ledgerSweep = new LedgerSweep()));
afterEach(async () => {
  await database.owner.execute(sql`delete from webhook_delivery`);
  await database.owner.execute(sql`delete from pgboss.job where name = 'webhook-delivery'`);
});
afterAll(() => database.drop());

it('a backlog of one merchant delays the overdue deliveries of no other', async () => {
  const [busy, other] = await createMerchants(2);
  const backlog = await overdue(busy!, MAX_PER_MERCHANT + 1);
  const [id] = await overdue(other!, 1);
  expect(await sweep()).toBe(true);
  const queued = await queuedIds(database.db);
  expect(queued).toContain(id);
  expect(backlog.filter((id) => queued.has(id))).toEqual(backlog.slice(0, MAX_PER_MERCHANT));
  // This one reads the last delivery.
  expect(await sweep()).toBe(false);
});

it('a backlog of one webhook delays the overdue deliveries of no other webhook of the merchant', async () => {
  const ctx = await createContext(database.db);
  await overdue(ctx, MAX_PER_MERCHANT + 1);
  const [id] = await overdue(ctx, 1, 'store/customer/updated');
  await sweep();
  expect(await queuedIds(database.db)).toContain(id);
});

it('a delivery without a job is found behind a backlog whose deliveries all have jobs', async () => {
  const ctx = await createContext(database.db);
  const ids = await overdue(ctx, 4 * MAX_PER_MERCHANT + 1);
  await sweepAll();
  await database.owner.execute(sql`delete from pgboss.job where name = 'webhook-delivery' and id = ${ids.at(-1)!}`);
  await sweepAll();
  expect(await queuedIds(database.db)).toContain(ids.at(-1));
});

it('the share of a webhook without overdue deliveries goes to the others', async () => {
  const ctx = await createContext(database.db);
  const backlog = await overdue(ctx, MAX_PER_MERCHANT);
  const recent = await overdue(ctx, 1, 'store/customer/updated');
  await database.owner.execute(sql`
    update webhook_delivery set next_attempt_at = now() + interval '1 hour'
    where merchant_id = ${ctx.merchantId} and id = ${recent[0]}`);
  await sweep();
  const queued = await queuedIds(database.db);
  expect(backlog.filter((id) => !queued.has(id))).toEqual([]);
  expect(queued).not.toContain(recent[0]);
});

it('the next sweep comes soon after one in which a webhook used its whole share', async () => {
  const ctx = await createContext(database.db);
  await overdue(ctx, MAX_PER_MERCHANT / 5 + 1);
  for (const action of ['created', 'updated', 'deleted']) await overdue(ctx, 1, `store/product/${action}`);
  for (const action of ['created', 'updated']) await overdue(ctx, 1, `store/stock/${action}`);
  expect(await sweep()).toBe(true);
});

it('queues one delivery of each webhook if there are more webhooks than deliveries in a sweep', async () => {
  const ctx = await createContext(database.db);
  const ids = await overdue(ctx, MAX_PER_MERCHANT + 1);
  await database.owner.execute(
    sql`update webhook_delivery set webhook_id = md5(id::text)::uuid where merchant_id = ${ctx.merchantId}`,
  );
  // As autovacuum does: plans made for few deliveries would read all those of the merchant for each webhook.
  await database.owner.execute(sql`analyze webhook_delivery`);
  await sweep();
  const queued = await queuedIds(database.db);
  expect(ids.filter((id) => !queued.has(id))).toEqual([]);
});

it('queues the overdue deliveries of a deleted webhook, and none of a paused one', async () => {
  const [deleted, paused] = await createMerchants(2);
  const [id] = await overdue(deleted!, 1);
  const waiting = await overdue(paused!, 1);
  await database.owner.execute(sql`delete from webhook where merchant_id = ${deleted!.merchantId}`);
  await database.owner.execute(sql`update webhook set status = 'PAUSED' where merchant_id = ${paused!.merchantId}`);
  await sweep();
  const queued = await queuedIds(database.db);
  expect(queued).toContain(id);
  expect(queued).not.toContain(waiting[0]);
});

it('queues the deliveries of other merchants although those of one merchant cannot be queued', async () => {
  const [refused, other] = await createMerchants(2);
  await overdue(refused!, 1);
  const [id] = await overdue(other!, 1);
  await database.owner.execute(
    sql.raw(`alter table pgboss.job add constraint cannot_queue
      check (data ->> 'merchantId' <> '${refused!.merchantId}') not valid`),
  );
  await expect(sweep()).rejects.toThrow(`Merchants whose work failed (1): ${refused!.merchantId}`);
  await database.owner.execute(sql`alter table pgboss.job drop constraint cannot_queue`);
  expect(await queuedIds(database.db)).toContain(id);
});

async function sweep(): Promise<boolean> {
  return await ledgerSweep.run(database, new AbortController().signal);
}

/** Sweeps until all overdue deliveries have been read, at most ten times. */
async function sweepAll(): Promise<void> {
  let sweeps = 1;
  while ((await sweep()) && sweeps < 10) sweeps += 1;
}

/** Creates merchants, sorted by their ids: the sweep handles them in this order. */
async function createMerchants(count: number): Promise<Context[]> {
  const merchants = await Promise.all(Array.from({ length: count }, () => createContext(database.db)));
  return merchants.toSorted((a, b) => (a.merchantId < b.merchantId ? -1 : 1));
}

/** Registers a webhook with deliveries that were due long ago and have no jobs. Returns their ids in order. */
async function overdue(ctx: Context, count: number, scope = 'store/customer/created'): Promise<string[]> {
  await register(ctx, [scope]);
  const rows = await database.owner.execute<{ id: string }>(sql`
    insert into webhook_delivery
      (merchant_id, id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, is_queued,
        next_attempt_at)
    select merchant_id, uuid_v7(), id, authorized_app_id, scope, endpoint, uuid_v7(), n, '{}', true,
      now() - interval '1 hour'
    from webhook, generate_series(1, ${count}::int) n where merchant_id = ${ctx.merchantId} and scope = ${scope}
    order by n
    returning id`);
  const ids = rows.map(({ id }) => id).toSorted();
  await database.owner.execute(sql`
    delete from pgboss.job where name = 'webhook-delivery' and data ->> 'merchantId' = ${ctx.merchantId}`);
  return ids;
}

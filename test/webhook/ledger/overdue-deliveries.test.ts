import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sweepLedger } from '../../../src/worker/webhooks/ledger-sweep.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import type { Context } from '../../../src/context.ts';
import { queuedIds, register } from '../ledger.ts';

/** Deliveries of one merchant that one sweep queues. */
const MAX_PER_MERCHANT = 5_000;
const running = new AbortController().signal;

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

it('a backlog of one merchant delays the overdue deliveries of no other', async () => {
  const [busy, other] = await createMerchants(2);
  const backlog = await overdue(busy!, MAX_PER_MERCHANT + 1);
  const [id] = await overdue(other!, 1);
  expect(await sweepLedger(database, running)).toBe(true);
  const queued = await queuedIds(database.db);
  expect(queued).toContain(id);
  expect(backlog.filter((id) => queued.has(id))).toEqual(backlog.slice(0, MAX_PER_MERCHANT));
  // All that it finds have jobs now.
  expect(await sweepLedger(database, running)).toBe(false);
});

it('a backlog of one webhook delays the overdue deliveries of no other webhook of the merchant', async () => {
  const ctx = await createContext(database.db);
  await overdue(ctx, MAX_PER_MERCHANT + 1);
  const [id] = await overdue(ctx, 1, 'store/customer/updated');
  await sweepLedger(database, running);
  expect(await queuedIds(database.db)).toContain(id);
});

it('queues the overdue deliveries of a deleted webhook, and none of a paused one', async () => {
  const [deleted, paused] = await createMerchants(2);
  const [id] = await overdue(deleted!, 1);
  const waiting = await overdue(paused!, 1);
  await database.owner.execute(sql`delete from webhook where merchant_id = ${deleted!.merchantId}`);
  await database.owner.execute(sql`update webhook set status = 'PAUSED' where merchant_id = ${paused!.merchantId}`);
  await sweepLedger(database, running);
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
  await expect(sweepLedger(database, running)).rejects.toThrow(
    `Merchants whose work failed (1): ${refused!.merchantId}`,
  );
  await database.owner.execute(sql`alter table pgboss.job drop constraint cannot_queue`);
  expect(await queuedIds(database.db)).toContain(id);
});

/** Creates merchants, and returns them in the order of their ids, in which the sweep handles them. */
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

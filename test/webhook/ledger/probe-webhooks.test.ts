import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { type ClaimedDelivery, claimDeliveries } from '../../../src/webhook/ledger/claim-deliveries.ts';
import { probeWebhooks } from '../../../src/webhook/ledger/probe-webhooks.ts';
import { settleDeliveries } from '../../../src/webhook/ledger/settle-deliveries.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { eventsOf, queuedIds, register } from '../ledger.ts';

const ENDPOINT = 'https://receiver.example/hook';

let database: TestDatabase;
let ctx: Context;
let ids: string[];
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
  await register(ctx, ['store/customer/created'], { endpoint: ENDPOINT });
  await setPause(ctx, '0 s');
  await database.db.execute(
    sql`insert into customer (merchant_id, first_name) select ${ctx.merchantId}, 'n' from generate_series(1, 3)`,
  );
  ids = (await eventsOf(ctx)).map(({ id }) => id).sort();
});

async function setPause(ctx: Context, age: string, probeAge: string | null = null): Promise<void> {
  await database.owner.execute(sql`
    update webhook set status = 'PAUSED', paused_at = now() - ${age}::interval, given_up_in_a_row = 20,
      probed_at = now() - ${probeAge}::interval where merchant_id = ${ctx.merchantId}`);
}

async function probe(): Promise<ClaimedDelivery[]> {
  await probeWebhooks(database);
  return await claimDeliveries(ctx, ids);
}

const idsOf = (deliveries: readonly ClaimedDelivery[]) => deliveries.map(({ id }) => id);

async function settle(delivery: ClaimedDelivery, delivered: boolean) {
  const log = { at: Date.now(), statusCode: delivered ? 200 : 500, error: null, durationMs: 1 };
  return await settleDeliveries(ctx, [{ ...delivery, delivered, log }], [0, 0]);
}

it('a paused webhook sends nothing at first, then its oldest delivery, and no second one beside it', async () => {
  expect(idsOf(await probe())).toEqual([]);
  await setPause(ctx, '31 s');
  const [first] = await probe();
  expect(first!.id).toBe(ids[0]);
  await settle(first!, false);
  await setPause(ctx, '2 hours');
  expect(idsOf(await probe())).toEqual([ids[0]]);
});

it('a delivery that had a request before the pause gets the rest of its three, and no other is sent', async () => {
  await database.owner.execute(sql`update webhook set status = 'ACTIVE' where merchant_id = ${ctx.merchantId}`);
  const [begun] = await claimDeliveries(ctx, ids.slice(1, 2));
  await settle(begun!, false);
  await setPause(ctx, '0 s');
  const [again] = await claimDeliveries(ctx, ids);
  await settle(again!, false);
  const last = await claimDeliveries(ctx, ids);
  expect(last).toMatchObject([{ id: ids[1], attempt: 3 }]);
  await settle(last[0]!, false);
  expect(await claimDeliveries(ctx, ids)).toEqual([]);
});

it('after a probe the webhook waits as long as the pause had lasted, at most an hour', async () => {
  await setPause(ctx, '19 min', '9 min');
  expect(idsOf(await probe())).toEqual([]);
  await setPause(ctx, '21 min', '11 min');
  expect(idsOf(await probe())).toEqual([ids[0]]);
});

it('after days the webhook sends a probe every hour', async () => {
  await setPause(ctx, '3 days', '59 min');
  expect(idsOf(await probe())).toEqual([]);
  await setPause(ctx, '3 days', '61 min');
  expect(idsOf(await probe())).toEqual([ids[0]]);
});

it('a probe of an earlier pause delays none of a new pause', async () => {
  await setPause(ctx, '31 s', '10 days');
  expect(idsOf(await probe())).toEqual([ids[0]]);
});

it('a delivery that is received resumes the webhook and queues those that wait', async () => {
  await setPause(ctx, '31 s');
  const [first] = await probe();
  const { resumedIds, pausedIds } = await settle(first!, true);
  expect([resumedIds.length, pausedIds]).toEqual([1, []]);
  const [webhook] = await database.db.execute(
    sql`select status, paused_at, given_up_in_a_row as count from webhook where merchant_id = ${ctx.merchantId}`,
  );
  expect(webhook).toEqual({ status: 'ACTIVE', paused_at: null, count: 0 });
  const queued = await queuedIds(database.db);
  expect(ids.slice(1).filter((id) => !queued.has(id))).toEqual([]);
});

it('a delivery that a former endpoint receives does not resume the webhook', async () => {
  await setPause(ctx, '31 s');
  const [first] = await probe();
  await database.owner.execute(
    sql`update webhook set endpoint = 'https://new.example' where merchant_id = ${ctx.merchantId}`,
  );
  expect((await settle(first!, true)).resumedIds).toEqual([]);
});

it('no delivery to a former endpoint is a probe', async () => {
  await setPause(ctx, '31 s');
  await database.owner.execute(sql`
    update webhook_delivery set endpoint = 'https://former.example'
    where merchant_id = ${ctx.merchantId} and id = ${ids[0]}`);
  expect(idsOf(await probe())).toEqual([ids[1]]);
});

/** Older deliveries to a former endpoint, which have had this number of requests. */
async function addFormer(count: number, attempts: number): Promise<void> {
  await database.owner.execute(sql`
    insert into webhook_delivery (merchant_id, id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence,
      data, attempts)
    select d.merchant_id, (left(d.id::text, 8) || '-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, d.webhook_id,
      d.authorized_app_id, d.scope, 'https://former.example', d.record_id, n + 1, d.data, ${attempts}::int
    from webhook_delivery d, generate_series(1, ${count}::int) n
    where d.merchant_id = ${ctx.merchantId} and d.id = ${ids[0]}`);
}

it('a thousand deliveries to a former endpoint keep no probe from the present one', async () => {
  await setPause(ctx, '31 s');
  await addFormer(1_000, 0);
  expect(idsOf(await probe())).toEqual([ids[0]]);
});

it('a delivery that a former endpoint gets the rest of its requests for keeps no probe from the present one', async () => {
  await setPause(ctx, '31 s');
  await addFormer(1, 1);
  expect(idsOf(await probe())).toEqual([ids[0]]);
});

it('hundreds of such deliveries keep no probe from the present endpoint, which gets no second one beside it', async () => {
  await setPause(ctx, '31 s');
  await addFormer(300, 1);
  const [first] = await probe();
  expect(first!.id).toBe(ids[0]);
  await settle(first!, false);
  await setPause(ctx, '2 hours');
  expect(idsOf(await probe())).toEqual([ids[0]]);
});

it('tens of thousands of deliveries to a former endpoint leave the newest one as the probe', async () => {
  await setPause(ctx, '31 s');
  await addFormer(20_001, 0);
  expect(idsOf(await probe())).toEqual([ids[2]]);
});

it('a delivery that was begun before the pause is queued again if its job was lost', async () => {
  await setPause(ctx, '31 s');
  const [first] = await probe();
  await settle(first!, false);
  await database.owner.execute(sql`delete from pgboss.job where id = ${ids[0]}`);
  await database.owner.execute(sql`
    update webhook_delivery set next_attempt_at = now() - interval '21 s'
    where merchant_id = ${ctx.merchantId} and id = ${ids[0]}`);
  await probeWebhooks(database);
  expect(await queuedIds(database.db)).toContain(ids[0]);
});

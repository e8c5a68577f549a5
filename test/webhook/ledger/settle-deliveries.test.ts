import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryAttempt } from '../../../drizzle/webhook.ts';
import { type ClaimedDelivery, claimDeliveries } from '../../../src/webhook/ledger/claim-deliveries.ts';
import { settleDeliveries } from '../../../src/webhook/ledger/settle-deliveries.ts';
import { deleteWebhook } from '../../../src/webhook/deleteWebhook.ts';
import { redeliverWebhookDeliveryList } from '../../../src/webhook/redeliverWebhookDeliveryList.ts';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { createEvents, save } from '../deliveries.ts';

const MAX_FAILED_IN_A_ROW = 20;
const scope = 'store/customer/created';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('queues the retry before it writes the outcome, so that nothing is lost if it fails between', async () => {
  const ctx = await createContext(database.db);
  await save(ctx, ['store/customer/created']);
  const ids = await createEvents(ctx, 1);
  const [delivery] = await claimDeliveries(ctx, ids);
  // PostgreSQL cannot store this character in jsonb.
  const log = { at: Date.now(), statusCode: null, error: 'a\u0000b', durationMs: 1 };
  const outcome = { ...delivery!, delivered: false, log };
  await expect(settleDeliveries(ctx, [outcome], [60_000, 60_000])).rejects.toMatchObject({ cause: { code: '22P05' } });
  const jobs = await database.owner.execute(sql`
    select start_after > now() + interval '50 s' as "isMoved" from pgboss.job
    where name = 'webhook-delivery' and id = ${ids[0]}`);
  expect([...jobs]).toEqual([{ isMoved: true }]);
  const stored = await database.db.execute(sql`
    select claimed_at is not null as "isClaimed" from webhook_delivery
    where merchant_id = ${ctx.merchantId} and id = ${ids[0]}`);
  expect([...stored]).toEqual([{ isClaimed: true }]);
});

it('does not pause a webhook for failures of its former endpoint', async () => {
  const ctx = await createContext(database.db);
  await save(ctx, [scope]);
  const former = await lastAttempts(ctx);
  await save(ctx, [scope], 'https://moved.example/');
  const moved = await lastAttempts(ctx);
  expect(await fail(ctx, former)).toEqual([]);
  expect(await fail(ctx, [...former, ...moved])).toEqual([moved[0]!.webhookId]);
});

describe('the outcome of a request to a former endpoint', () => {
  it('is ignored after the claim has lapsed and another worker has claimed the delivery for the present one', async () => {
    const ctx = await createContext(database.db);
    await save(ctx, [scope]);
    const ids = await createEvents(ctx, 1);
    const [former] = await claimDeliveries(ctx, ids);
    await save(ctx, [scope], 'https://moved.example/');
    await redeliverWebhookDeliveryList(ctx, { idList: ids });
    await ctx.db.execute(sql`
      update webhook_delivery set claimed_at = now() - interval '16 s' where merchant_id = ${ctx.merchantId}`);
    const [moved] = await claimDeliveries(ctx, ids);
    expect(moved).toMatchObject({ endpoint: 'https://moved.example/', attempt: 1 });
    await fail(ctx, [former!]);
    await deliver(ctx, [moved!]);
    expect(await stored(ctx)).toMatchObject({ state: 'DELIVERED', attempts: 1 });
  });

  it.each([1, 3])('is logged with the time of the request to the present one, after attempt %i', async (attempt) => {
    const ctx = await createContext(database.db);
    await save(ctx, [scope]);
    const ids = await createEvents(ctx, 1);
    await ctx.db.execute(sql`
      update webhook_delivery set attempts = ${attempt - 1}::int where merchant_id = ${ctx.merchantId}`);
    const claimed = await claimDeliveries(ctx, ids);
    await save(ctx, [scope], 'https://moved.example/');
    await redeliverWebhookDeliveryList(ctx, { idList: ids });
    const beganAt = Date.now();
    await fail(ctx, claimed);
    const { log } = await stored(ctx);
    expect(log[0]!.nextAttemptAt).toBeGreaterThanOrEqual(beganAt);
    expect(log[0]!.nextAttemptAt).toBeLessThanOrEqual(Date.now());
  });

  it('is that of the present one if the webhook was registered again with the same endpoint', async () => {
    const ctx = await createContext(database.db);
    await save(ctx, [scope]);
    const ids = await createEvents(ctx, 1);
    const claimed = await claimDeliveries(ctx, ids);
    await deleteWebhook(ctx, { scopes: [scope] });
    await save(ctx, [scope]);
    await redeliverWebhookDeliveryList(ctx, { idList: ids });
    await deliver(ctx, claimed);
    expect(await stored(ctx)).toMatchObject({ state: 'DELIVERED', attempts: 1 });
  });
});

describe('a delivery that could not be signed', () => {
  it('is given back with its attempts, also after the last one, and pauses no webhook', async () => {
    const ctx = await createContext(database.db);
    await save(ctx, [scope]);
    const settled = await leaveUnsigned(ctx, await lastAttempts(ctx));
    expect(settled).toMatchObject({ pausedIds: [], givenUp: [] });
    expect(settled.unsigned).toHaveLength(MAX_FAILED_IN_A_ROW);
    expect(await stored(ctx)).toMatchObject({ state: 'PENDING', attempts: 2 });
  });

  it('is not claimed again at once, however short the delays of retries are', async () => {
    const ctx = await createContext(database.db);
    await save(ctx, [scope]);
    const ids = await createEvents(ctx, 1);
    const { retried } = await leaveUnsigned(ctx, await claimDeliveries(ctx, ids));
    expect(retried).toEqual([{ id: ids[0], dueInMs: 10_000 }]);
    expect(await claimDeliveries(ctx, ids)).toEqual([]);
    const [job] = await database.owner.execute(sql`
      select start_after > now() + interval '8 s' as "isLater" from pgboss.job
      where name = 'webhook-delivery' and id = ${ids[0]}`);
    expect(job).toEqual({ isLater: true });
  });

  it('has one entry in its log, after the requests', async () => {
    const ctx = await createContext(database.db);
    await save(ctx, [scope]);
    const ids = await createEvents(ctx, 1);
    await fail(ctx, await claimDeliveries(ctx, ids));
    for (let time = 0; time < 3; time += 1) {
      await ctx.db.execute(
        sql`update webhook_delivery set next_attempt_at = now() where merchant_id = ${ctx.merchantId}`,
      );
      const claimed = await claimDeliveries(ctx, ids);
      expect(claimed).toMatchObject([{ attempt: 2 }]);
      await leaveUnsigned(ctx, claimed);
    }
    const { log, ...state } = await stored(ctx);
    expect(state).toEqual({ state: 'PENDING', attempts: 1 });
    expect(log).toMatchObject([{ statusCode: 500 }, { error: 'not signed', nextAttemptAt: expect.any(Number) }]);
  });
});

/** Claims as many deliveries for their last attempt as pause a webhook. */
async function lastAttempts(ctx: Context): Promise<ClaimedDelivery[]> {
  const ids = await createEvents(ctx, MAX_FAILED_IN_A_ROW);
  await ctx.db.execute(sql`
    update webhook_delivery set attempts = 2 where merchant_id = ${ctx.merchantId} and attempts = 0`);
  return await claimDeliveries(ctx, ids);
}

/** Returns the webhooks that are paused. */
async function fail(ctx: Context, claimed: ClaimedDelivery[]): Promise<string[]> {
  const log = { at: Date.now(), statusCode: 500, error: null, durationMs: 1 };
  const outcomes = claimed.map((delivery) => ({ ...delivery, delivered: false, log }));
  return (await settleDeliveries(ctx, outcomes, [60_000, 60_000])).pausedIds;
}

async function leaveUnsigned(ctx: Context, claimed: ClaimedDelivery[]) {
  const log = { at: Date.now(), statusCode: null, error: 'not signed', durationMs: null };
  const outcomes = claimed.map((delivery) => ({ ...delivery, delivered: false, log }));
  return await settleDeliveries(ctx, outcomes, [0, 0]);
}

async function deliver(ctx: Context, claimed: ClaimedDelivery[]): Promise<void> {
  const log = { at: Date.now(), statusCode: 200, error: null, durationMs: 1 };
  const outcomes = claimed.map((delivery) => ({ ...delivery, delivered: true, log }));
  await settleDeliveries(ctx, outcomes, [0, 0]);
}

/** The only delivery of the merchant. */
async function stored(ctx: Context) {
  const [row] = await ctx.db.execute<{ state: string; attempts: number; log: DeliveryAttempt[] }>(sql`
    select state, attempts, attempt_log as log from webhook_delivery where merchant_id = ${ctx.merchantId}`);
  return row!;
}

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { claimDeliveries } from '../../src/webhook/ledger/claim-deliveries.ts';
import { removeOldAttemptCounts } from '../../src/webhook/ledger/attempt-counts.ts';
import { type AttemptOutcome, settleDeliveries } from '../../src/webhook/ledger/settle-deliveries.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type CallOperation, startOperations } from '../support/operation.ts';
import { createEvents, createOtherApp, deliveriesOf, save } from './deliveries.ts';

const scope = 'store/customer/created';
const HOUR_MS = 3_600_000;

type Health = {
  requestCount: number;
  successRate: number | null;
  durationP95Ms: number | null;
  oldestPendingAt: number | null;
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
  hours: { at: number; deliveredCount: number; failedCount: number }[];
};

let database: TestDatabase;
let api: { call: CallOperation; stop(): Promise<void> };
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function healthOf(ctx: Context): Promise<Health> {
  const { data, errors } = await api.call(ctx, 'listWebhook', {});
  expect(errors).toBeUndefined();
  return (data!['listWebhook'] as { health: Health }[])[0]!.health;
}

/** Makes one attempt of each delivery, with this end and outcome. */
async function attempt(
  ctx: Context,
  ids: string[],
  outcome: (index: number) => { delivered: boolean; durationMs: number; at?: number },
): Promise<void> {
  const claimed = await claimDeliveries(ctx, ids);
  expect(claimed).toHaveLength(ids.length);
  const outcomes = claimed.map(({ id, webhookId, endpoint, attempt }, index): AttemptOutcome => {
    const { delivered, durationMs, at = Date.now() } = outcome(index);
    const log = { at, statusCode: delivered ? 200 : 500, error: delivered ? null : 'status 500', durationMs };
    return { id, webhookId, endpoint, attempt, delivered, log };
  });
  await settleDeliveries(ctx, outcomes, [0, 0]);
}

async function createListener(events: number): Promise<{ own: Context; ids: string[] }> {
  const own = await createContext(database.db);
  await save(own, [scope]);
  return { own, ids: await createEvents(own, events) };
}

describe('the health of a webhook', () => {
  it('is empty before the first request', async () => {
    const { own } = await createListener(0);
    expect(await healthOf(own)).toEqual({
      requestCount: 0,
      successRate: null,
      durationP95Ms: null,
      oldestPendingAt: null,
      lastSuccessAt: null,
      lastFailureAt: null,
      hours: [],
    });
  });

  it('counts the requests of the last 24 hours, over several settlements', async () => {
    const { own, ids } = await createListener(4);
    const now = Date.now();
    await attempt(own, ids.slice(0, 2), () => ({ delivered: true, durationMs: 20, at: now - 2 * HOUR_MS }));
    await attempt(own, ids.slice(2, 3), () => ({ delivered: true, durationMs: 30, at: now - HOUR_MS }));
    await attempt(own, ids.slice(3), () => ({ delivered: false, durationMs: 40, at: now - 5_000 }));
    const waiting = (await deliveriesOf(own)).find(({ state }) => state === 'PENDING')!;
    expect(waiting.id).toBe(ids[3]);
    const health = await healthOf(own);
    expect(health).toMatchObject({ requestCount: 4, successRate: 0.75, durationP95Ms: 40 });
    expect(health.lastSuccessAt).toBe(now - HOUR_MS);
    expect(health.lastFailureAt).toBe(now - 5_000);
    const hourOf = (at: number) => at - (at % HOUR_MS);
    const sum = new Map<number, { at: number; deliveredCount: number; failedCount: number }>();
    for (const [at, deliveredCount, failedCount] of [
      [hourOf(now - 2 * HOUR_MS), 2, 0],
      [hourOf(now - HOUR_MS), 1, 0],
      [hourOf(now - 5_000), 0, 1],
    ] as const) {
      const { deliveredCount: delivered = 0, failedCount: failed = 0 } = sum.get(at) ?? {};
      sum.set(at, { at, deliveredCount: delivered + deliveredCount, failedCount: failed + failedCount });
    }
    expect(health.hours).toEqual([...sum.values()]);
    const [{ createdAt }] = (await database.db.execute<{ createdAt: number }>(sql`
      select (extract(epoch from created_at) * 1000)::float8 as "createdAt" from webhook_delivery
      where merchant_id = ${own.merchantId} and id = ${ids[3]}`)) as unknown as [{ createdAt: number }];
    expect(health.oldestPendingAt).toBe(createdAt);
  });

  it('has a success rate of 0 if all requests failed', async () => {
    const { own, ids } = await createListener(2);
    await attempt(own, ids, () => ({ delivered: false, durationMs: 40 }));
    expect(await healthOf(own)).toMatchObject({ requestCount: 2, successRate: 0, lastSuccessAt: null });
  });

  it('does not count attempts without a request', async () => {
    const { own, ids } = await createListener(2);
    await attempt(own, ids.slice(1), () => ({ delivered: true, durationMs: 40 }));
    const [claimed] = await claimDeliveries(own, ids.slice(0, 1));
    const log = { at: Date.now(), statusCode: null, error: 'not signed', durationMs: null };
    await settleDeliveries(own, [{ ...claimed!, delivered: false, log }], [0, 0]);
    expect(await healthOf(own)).toMatchObject({ requestCount: 1, successRate: 1, lastFailureAt: null });
  });

  it('says within which time 95 of 100 requests end', async () => {
    const { own, ids } = await createListener(100);
    await attempt(own, ids, (index) => ({ delivered: true, durationMs: (index + 1) * 10 }));
    const { durationP95Ms, requestCount } = await healthOf(own);
    expect(requestCount).toBe(100);
    // Durations are counted in classes whose limits differ by at most 19 %.
    expect(durationP95Ms).toBeGreaterThanOrEqual(950);
    expect(durationP95Ms).toBeLessThanOrEqual(950 * 1.19);
  });

  it('ignores requests of the day before, which are removed later', async () => {
    const { own, ids } = await createListener(3);
    const now = Date.now();
    await attempt(own, ids.slice(0, 1), () => ({ delivered: false, durationMs: 9_000, at: now - 26 * HOUR_MS }));
    await attempt(own, ids.slice(1, 2), () => ({ delivered: false, durationMs: 9_000, at: now - 80 * HOUR_MS }));
    await attempt(own, ids.slice(2), () => ({ delivered: true, durationMs: 5 }));
    expect(await healthOf(own)).toMatchObject({
      requestCount: 1,
      successRate: 1,
      durationP95Ms: 5,
      lastFailureAt: null,
    });
    const rows = async () =>
      (await database.db.execute(sql`select from webhook_attempt_count where merchant_id = ${own.merchantId}`)).length;
    expect(await rows()).toBe(3);
    await removeOldAttemptCounts(database);
    expect(await rows()).toBe(2);
  });

  it('counts neither an outcome that was ignored nor the requests of other webhooks', async () => {
    const { own, ids } = await createListener(1);
    const [claimed] = await claimDeliveries(own, ids);
    const log = { at: Date.now(), statusCode: 200, error: null, durationMs: 5 };
    const outcome = { ...claimed!, delivered: true, log };
    await settleDeliveries(own, [outcome], [0, 0]);
    await settleDeliveries(own, [outcome], [0, 0]);
    expect(await healthOf(own)).toMatchObject({ requestCount: 1 });
    const other = await createOtherApp(own);
    await save(other, [scope]);
    expect(await healthOf(other)).toMatchObject({ requestCount: 0 });
  });

  it('counts at the same time in several transactions without losing any', async () => {
    const { own, ids } = await createListener(40);
    const claimed = await claimDeliveries(own, ids);
    const log = { at: Date.now(), statusCode: 200, error: null, durationMs: 5 };
    const outcomes = claimed.map((one): AttemptOutcome => ({ ...one, delivered: true, log }));
    await Promise.all(outcomes.map((outcome) => settleDeliveries(own, [outcome], [0, 0])));
    expect(await healthOf(own)).toMatchObject({ requestCount: 40, successRate: 1 });
  });
});

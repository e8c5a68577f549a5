import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { laneOf, merchantLaneOf } from '../../../src/worker/webhooks/job.ts';
import { inspectQueue } from '../../../src/webhook/ledger/inspect-queue.ts';
import { ownerOf } from '../../support/database.ts';
import { register, relayJobs } from '../../webhook/ledger.ts';
import { until } from './receiver.ts';
import { sending } from './sending.ts';

const created = ['store/customer/created'];
const endpointKeyOf = (endpoint: string) => createHash('md5').update(endpoint).digest('hex');

const { db, shop, start, receiver, addCustomers, statesOf } = sending();
let ctx: Context;
beforeEach(async () => {
  ctx = await shop();
});

async function lanesOf({ merchantId }: Context): Promise<Record<number, number>> {
  await relayJobs(db());
  const rows = await ownerOf(db()).execute<{ lane: number; count: number }>(sql`
    select job.priority as lane, count(*)::int as count from pgboss.job where name = 'webhook-delivery' and data ->> 'merchantId' = ${merchantId} group by 1`);
  return Object.fromEntries(rows.map(({ lane, count }) => [lane, count]));
}

it('puts deliveries of a large statement into the lane of merchant and endpoint, and those of a small one into that of the merchant', async () => {
  const endpoint = 'https://receiver.example/hook';
  await register(ctx, created, { endpoint });
  await addCustomers(ctx, 100);
  expect(await lanesOf(ctx)).toEqual({ [merchantLaneOf(ctx.merchantId)]: 100 });
  await addCustomers(ctx, 101);
  const lane = laneOf({ merchantId: ctx.merchantId, endpointKey: endpointKeyOf(endpoint) });
  expect(lane).toBeLessThan(0);
  expect(await lanesOf(ctx)).toEqual({ [merchantLaneOf(ctx.merchantId)]: 100, [lane]: 101 });
  expect(await inspectQueue(db())).toContainEqual({
    lane,
    merchantId: ctx.merchantId,
    endpointKey: endpointKeyOf(endpoint),
  });
});

it('gives two merchants with one endpoint a lane each', () => {
  const [one, other] = ['01a200e1-d463-7d25-9fa2-cfc9d2c1de7e', '01a200e1-d463-77ee-9bbc-acdffa8ec6e6'].map(
    (merchantId) => laneOf({ merchantId, endpointKey: endpointKeyOf('https://a.example') }),
  );
  expect(one).not.toBe(other);
});

// docs/reliability-tests.md: 91
it('sends a change at once while thousands of deliveries of another merchant wait, also to the same endpoint', async () => {
  const shared = await receiver((_, response) => void setTimeout(() => response.writeHead(200).end(), 100));
  const other = await shop();
  await register(other, created, { endpoint: shared.url });
  await register(ctx, created, { endpoint: shared.url });
  await addCustomers(other, 8_000);
  await start(ctx);
  await until(
    () => shared.received.length,
    (length) => length > 200,
  );
  await addCustomers(ctx, 1);
  const startedAtMs = performance.now();
  await until(
    () => statesOf(ctx),
    ({ DELIVERED }) => DELIVERED === 1,
    10_000,
  );
  expect(performance.now() - startedAtMs).toBeLessThan(2_000);
  expect((await statesOf(other)).PENDING).toBeGreaterThan(2_000);
}, 60_000);

it('polls a filled lane after its notification', async () => {
  const { received, url } = await receiver();
  await register(ctx, created, { endpoint: url });
  await start(ctx);
  await until(
    () => received.length,
    (length) => length === 0,
  );
  await addCustomers(ctx, 1);
  await until(
    () => received.length,
    (length) => length === 1,
  );
  const startedAtMs = performance.now();
  await addCustomers(ctx, 300);
  await until(
    () => received.length,
    (length) => length > 1,
  );
  // Without the notification it would wait for the next poll, up to 5 s.
  expect(performance.now() - startedAtMs).toBeLessThan(2_500);
  await until(
    () => received.length,
    (length) => length === 301,
  );
}, 30_000);

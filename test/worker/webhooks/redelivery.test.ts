import { sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { deleteWebhook } from '../../../src/webhook/deleteWebhook.ts';
import { redeliverWebhook } from '../../../src/webhook/redeliverWebhook.ts';
import { redeliverWebhookDeliveryRange } from '../../../src/webhook/redeliverWebhookDeliveryRange.ts';
import { redeliverWebhookRange } from '../../../src/webhook/redeliverWebhookRange.ts';
import { saveWebhook } from '../../../src/webhook/saveWebhook.ts';
import { eventsOf } from '../../webhook/ledger.ts';
import { until } from './receiver.ts';
import { sending } from './sending.ts';

const scope = 'store/customer/created';
const always = { scope, from: 0, to: Date.UTC(2100, 0) };
const KEPT_ATTEMPTS = 30;

const { db, shop, start, receiver, addCustomers, statesOf, logOf } = sending();
let ctx: Context;
beforeEach(async () => {
  ctx = await shop();
});

const save = (endpoint: string) => saveWebhook(ctx, { input: { endpoint, scopes: [scope] } }, { id: {} });
const settled = (state: string, count: number) =>
  until(
    () => statesOf(ctx),
    (states) => states[state] === count,
  );

it('sends one delivery, and those of a time range, again to the present endpoint', async () => {
  const broken = await receiver((_, response) => response.writeHead(500).end());
  const mended = await receiver();
  await save(broken.url);
  await start(ctx, [10, 10]);
  await addCustomers(ctx, 3);
  await settled('FAILED', 3);
  const ids = (await eventsOf(ctx)).map(({ id }) => id);
  await save(mended.url);
  await redeliverWebhook(ctx, { idList: [ids[0]!] });
  await settled('DELIVERED', 1);
  await redeliverWebhookRange(ctx, always);
  await settled('DELIVERED', 3);
  expect(broken.received).toHaveLength(9);
  expect(mended.received.map(({ id }) => id).sort()).toEqual(ids.sort());
  expect((await logOf(ctx, ids[0]!)).log.map(({ statusCode }) => statusCode)).toEqual([500, 500, 500, 200]);
  await redeliverWebhook(ctx, { idList: [ids[0]!] });
  await until(
    () => mended.received.length,
    (length) => length === 4,
  );
});

it.each([
  ['fails', [500], 1],
  ['is answered', [200], 1],
  ['is the last one', [500, 500, 500], 3],
])('sends a delivery to the present endpoint when the request to the former one %s', async (_, statusCodes, number) => {
  const later = await receiver();
  const redirect = async (): Promise<number> => {
    await save(later.url);
    return (await redeliverWebhookDeliveryRange(ctx, always)).queuedCount;
  };
  const former = await receiver((_, response) => {
    const status = statusCodes[former.received.length - 1]!;
    if (former.received.length < number) return void response.writeHead(status).end();
    void redirect().then((queuedCount) => response.writeHead(queuedCount === 1 ? status : 404).end());
  });
  await save(former.url);
  await start(ctx, [10, 10]);
  await addCustomers(ctx, 1);
  await until(
    () => later.received.length,
    (length) => length === 1,
  );
  await settled('DELIVERED', 1);
  expect([former.received.length, later.received.length]).toEqual([number, 1]);
  const { attempts, log } = await logOf(ctx, later.received[0]!.id);
  expect(attempts).toBe(1);
  expect(log.map(({ statusCode }) => statusCode)).toEqual([...statusCodes, 200]);
});

it.each([
  ['before', 16],
  ['after', 0],
])(
  'sends a delivery to the present endpoint if the worker was killed %s the redelivery, in its last request',
  async (_, claimedS) => {
    const later = await receiver();
    await save('https://former.example/');
    await addCustomers(ctx, 1);
    await db().execute(sql`
    update webhook_delivery set attempts = 3, claimed_at = now() - ${claimedS}::int * interval '1 s', next_attempt_at = now()
    where merchant_id = ${ctx.merchantId}`);
    await save(later.url);
    expect((await redeliverWebhookDeliveryRange(ctx, always)).queuedCount).toBe(1);
    await db().execute(sql`
    update webhook_delivery set claimed_at = now() - interval '16 s' where merchant_id = ${ctx.merchantId}`);
    await start(ctx);
    await settled('DELIVERED', 1);
    expect(later.received).toHaveLength(1);
  },
);

// docs/reliability-tests.md: 83
it('sends deliveries that waited during a pause when the webhook is saved: to their own endpoint, in a range to the new one', async () => {
  const former = await receiver();
  const later = await receiver();
  await save(former.url);
  const pause = () =>
    db().execute(sql`update webhook set status = 'PAUSED', paused_at = now() where merchant_id = ${ctx.merchantId}`);
  await pause();
  await start(ctx);
  await addCustomers(ctx, 2);
  await save(later.url);
  await redeliverWebhookRange(ctx, always);
  await settled('DELIVERED', 2);
  expect(later.received).toHaveLength(2);
  await pause();
  await addCustomers(ctx, 2);
  await save(former.url);
  await db().execute(
    sql`update webhook_delivery set created_at = now() - interval '1 minute' where merchant_id = ${ctx.merchantId} and state = 'PENDING'`,
  );
  await start(ctx);
  await settled('DELIVERED', 4);
  expect([later.received.length, former.received.length]).toEqual([4, 0]);
});

// docs/reliability-tests.md: 82
it('begins no request after the webhook is deleted, for any number of waiting deliveries', async () => {
  const { received, url } = await receiver((_, response) => void setTimeout(() => response.writeHead(500).end(), 50));
  await save(url);
  await start(ctx, [200, 200]);
  await addCustomers(ctx, 1_000);
  await until(
    () => received.length,
    (length) => length > 50,
  );
  await deleteWebhook(ctx, { scopes: [scope] });
  // Deliveries claimed before are still being sent.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const made = received.length;
  await settled('FAILED', 1_000);
  expect(received).toHaveLength(made);
}, 30_000);

it('keeps the latest attempts of a delivery that is sent again many times', async () => {
  const { received, url } = await receiver((_, response) => response.writeHead(500).end());
  await save(url);
  await start(ctx, [5, 5]);
  await addCustomers(ctx, 1);
  await settled('FAILED', 1);
  const { id } = (await eventsOf(ctx))[0]!;
  for (let round = 2; round <= 12; round++) {
    await redeliverWebhook(ctx, { idList: [id] });
    await until(
      () => received.length,
      (length) => length === 3 * round,
    );
    await settled('FAILED', 1);
  }
  const { log } = await logOf(ctx, id);
  expect(log).toHaveLength(KEPT_ATTEMPTS);
  expect(log.every(({ statusCode }) => statusCode === 500)).toBe(true);
}, 60_000);

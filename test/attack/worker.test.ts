import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openReceiver, until } from '../worker/webhooks/receiver.ts';
import { register } from '../webhook/ledger.ts';
import { createAppLike } from './support/app-like.ts';
import type { Merchant } from '../support/own-service.ts';
import { cpuMs } from '../support/process.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

const PRODUCTS = 400;
/** Less than the worker's limit of 10 s, so that the receiver is slow, but answers. */
const ANSWERED_AFTER_MS = 9_000;
/** At least one poll, which come every 5 s, while all slots are used. */
const FULL_FOR_MS = 6_000;
const PUSHED_WITHIN_MS = 1_000;
/** Between a push and the next change. */
const PUSHED_EVERY_MS = 50;
/** Share of one CPU while every slot is taken and nothing changes. */
const MAX_CPU_SHARE = 0.3;

type Closing = { close(): Promise<void> };

let service: AttackedService;
const opened: Closing[] = [];
beforeAll(async () => {
  service = await startAttackedService({ WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' });
});
afterAll(async () => {
  await service.stop();
  for (const made of opened) await made.close();
});

// docs/reliability-tests.md: 96
it('continues while a slow receiver has all its slots', async () => {
  const { attacker } = service;
  const slow = await receiver((_, response) => void setTimeout(() => response.writeHead(200).end(), ANSWERED_AFTER_MS));
  const stockLocationId = await saveStockLocation(attacker);
  await bulkUpdate(attacker, stockLocationId, 1);
  // Four webhooks, all of which get the next update.
  for (const ctx of [attacker.ctx, await createAppLike(attacker)])
    await register(ctx, ['store/product/updated', 'store/stock/updated'], { endpoint: slow.url });
  await separateEndpoints(attacker);
  const report = await attack('a slow receiver', service, async () => {
    for (const round of [2, 3]) await bulkUpdate(attacker, stockLocationId, round);
    await until(
      () => slow.received.length,
      (count) => count > 100,
    );
    const share = await cpuShare(FULL_FOR_MS);
    console.log(`a slow receiver: ${slow.received.length} requests, ${Math.round(share * 100)} % of one CPU`);
    expect(share).toBeLessThan(MAX_CPU_SHARE);
    expect(await longestPushMs()).toBeLessThan(PUSHED_WITHIN_MS);
  });
  expectUnharmed(report);
}, 120_000);

/** Gives each webhook its own endpoint, so that they do not share the limit of one endpoint. */
async function separateEndpoints({ ctx }: Merchant): Promise<void> {
  await ctx.db.execute(
    sql`update webhook set endpoint = endpoint || '/' || id::text where merchant_id = ${ctx.merchantId}`,
  );
}

/** The longest time from a change to the arrival of its push, of several sequential changes. */
async function longestPushMs(): Promise<number> {
  const quick = await receiver();
  const merchant = await service.createMerchant();
  await register(merchant.ctx, ['store/customer/created'], { endpoint: quick.url });
  const took: number[] = [];
  for (let n = 1; n <= 10; n++) {
    const startedAtMs = performance.now();
    const { body } = await merchant.send({ query: 'mutation { saveCustomer(input: {firstName: "Ada"}) { id } }' });
    expect(body.errors).toBeUndefined();
    await until(
      () => quick.received.length,
      (count) => count === n,
      10_000,
    ).catch(() => undefined);
    took.push(performance.now() - startedAtMs);
    await wait(PUSHED_EVERY_MS);
  }
  console.log(`pushes of another merchant: ${took.map(Math.round).join(' ')} ms`);
  return Math.max(...took);
}

async function saveStockLocation(merchant: Merchant): Promise<string> {
  const { body } = await merchant.send({ query: 'mutation { saveStockLocation(input: {name: "Store"}) { id } }' });
  return (body.data!.saveStockLocation as { id: string }).id;
}

async function bulkUpdate(merchant: Merchant, stockLocationId: string, round: number): Promise<void> {
  const input = Array.from({ length: PRODUCTS }, (_, n) => ({
    sourceId: `p${n}`,
    name: `Product ${n} of ${round}`,
    type: 'PHYSICAL',
    categories: [],
    productVariantTypes: [],
    variants: [
      {
        sourceId: `v${n}`,
        isActive: true,
        prices: [{ sellPrice: 10 }],
        stocks: [{ stockLocationId, stockCount: round }],
      },
    ],
  }));
  const { body } = await merchant.send({
    query: 'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }',
    variables: { input },
  });
  expect(body.errors).toBeUndefined();
}

async function receiver(...answer: Parameters<typeof openReceiver>) {
  const made = await openReceiver(...answer);
  opened.push(made);
  return made;
}

/** The share of one CPU that the service uses during `spanMs`. */
async function cpuShare(spanMs: number): Promise<number> {
  const pid = service.process.child.pid!;
  const beforeMs = cpuMs(pid);
  await wait(spanMs);
  return (cpuMs(pid) - beforeMs) / spanMs;
}

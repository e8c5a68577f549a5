import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { webhookScopes } from '../../drizzle/webhook.ts';
import { openReceiver, until } from '../worker/webhooks/receiver.ts';
import { register } from '../webhook/ledger.ts';
import { createAppLike } from './support/app-like.ts';
import type { Merchant } from '../support/own-service.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

/**
 * The longest time from a commit to the push of another merchant, however many deliveries of others wait. The receivers
 * and the writer share two cores with the service: the first 256 connections alone delay pushes by 0.3 to 0.6 s. A push
 * that waits for an endpoint that hangs is 10 s late.
 */
const LATEST_PUSH_MS = 1_000;
/** The other merchant makes changes until the attack is over, at least for this time, and their interval. */
const OBSERVED_MS = 2_000;
const CHANGED_EVERY_MS = 100;
/** How long the test waits for pushes that are too late. */
const ARRIVED_WITHIN_MS = 60_000;
/** The maximum of deliveries in one call of `redeliverWebhookDeliveryList`. */
const LISTED = 1_000;

/** The delay of the latest push, and the number of requests to the endpoints that hang. */
type Observation = { longest: number; requests: number };
type Receiver = Awaited<ReturnType<typeof openReceiver>>;

let service: AttackedService;
let hanging: Receiver;
let quick: Receiver;
beforeAll(async () => {
  quick = await openReceiver();
});
beforeEach(async () => {
  hanging = await openReceiver(() => {});
  service = await startAttackedService({ WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' });
});
afterEach(async () => {
  await service.stop();
  await hanging.close();
});
afterAll(async () => {
  await quick.close();
});

// docs/reliability-tests.md: 96
it('pushes to another merchant in time while 100,000 deliveries are sent again to five endpoints that hang', async () => {
  const { attacker } = service;
  const apps = await Promise.all(Array.from({ length: 5 }, () => createAppLike(attacker)));
  for (const app of apps) await register(app, ['store/product/updated'], { endpoint: hanging.url });
  await separateEndpoints(attacker);
  await addFailed(attacker, 20_000);
  const { longest, requests } = await observe('100,000 deliveries sent again', async () => {
    const range = 'from: 0, to: 4102444800000';
    for (const { session } of apps) {
      const app = `authorizedAppId: "${session.authorizedAppId}"`;
      await redeliver(attacker, `redeliverWebhookDeliveryRange(scope: "store/product/updated", ${app}, ${range})`);
    }
  });
  expect(requests).toBeGreaterThan(0);
  expect(longest).toBeLessThan(LATEST_PUSH_MS);
}, 240_000);

// docs/reliability-tests.md: 96
it('pushes to another merchant in time while 1,600 endpoints of twenty merchants hang', async () => {
  const attackers = await Promise.all(Array.from({ length: 20 }, () => service.createMerchant()));
  for (const attacker of attackers) {
    const apps = await Promise.all(Array.from({ length: 8 }, () => createAppLike(attacker)));
    for (const app of apps) await register(app, [...webhookScopes], { endpoint: hanging.url });
    await separateEndpoints(attacker);
    await addFailed(attacker, 20);
  }
  const { longest, requests } = await observe('1,600 endpoints that hang', async () => {
    for (const attacker of attackers) {
      const ids = await failedOf(attacker);
      for (let from = 0; from < ids.length; from += LISTED) {
        const idList = JSON.stringify(ids.slice(from, from + LISTED));
        await redeliver(attacker, `redeliverWebhookDeliveryList(idList: ${idList})`);
      }
    }
  });
  expect(requests).toBeGreaterThan(0);
  expect(longest).toBeLessThan(LATEST_PUSH_MS);
}, 240_000);

// docs/reliability-tests.md: 96
it('pushes to another merchant in time while 200 changes are pushed to fifteen endpoints that hang', async () => {
  const { attacker } = service;
  const apps = await Promise.all(Array.from({ length: 15 }, () => createAppLike(attacker)));
  for (const app of apps) await register(app, ['store/customer/created'], { endpoint: hanging.url });
  await separateEndpoints(attacker);
  const { longest, requests } = await observe('3,000 pushes', async () => {
    // Each statement has few deliveries for an endpoint, so that none counts as large.
    for (let n = 0; n < 20; n++) await addCustomers(attacker, 10);
  });
  expect(requests).toBeGreaterThan(0);
  expect(longest).toBeLessThan(LATEST_PUSH_MS);
}, 240_000);

/** Attacks while another merchant makes changes. Prints the delays of its pushes. */
async function observe(name: string, work: () => Promise<unknown>): Promise<Observation> {
  const other = await service.createMerchant();
  await register(other.ctx, ['store/customer/created'], { endpoint: quick.url });
  let observation: Observation | undefined;
  const report = await attack(name, service, async () => {
    const attacking = work();
    const pushedMs = await latenesses(other, attacking);
    await attacking;
    const late = pushedMs.filter((ms) => ms > LATEST_PUSH_MS).length;
    const longest = Math.round(Math.max(...pushedMs));
    console.log(
      `${name}: pushes at most ${longest} ms late, ${late} of ${pushedMs.length} later than ${LATEST_PUSH_MS} ms`,
    );
    observation = { longest, requests: hanging.received.length };
  });
  expectUnharmed(report);
  return observation!;
}

/** The times from each commit to the arrival of its push, of changes during the attack. */
async function latenesses(other: Merchant, attacking: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const end = (): void => void (isOver = true);
  void attacking.then(end, end);
  const committedAtMs = new Map<string, number>();
  const changes: Promise<void>[] = [];
  for (const endsAtMs = Date.now() + OBSERVED_MS; Date.now() < endsAtMs || !isOver;) {
    const name = `${other.ctx.merchantId} ${changes.length}`;
    changes.push(addCustomers(other, 1, name).then(() => void committedAtMs.set(name, Date.now())));
    await wait(CHANGED_EVERY_MS);
  }
  await Promise.all(changes);
  const own = () => quick.received.filter(({ body }) => body.merchantId === other.ctx.merchantId);
  await until(
    () => own().length,
    (count) => count >= changes.length,
    ARRIVED_WITHIN_MS,
  ).catch(() => undefined);
  const arrivedAtMs = new Map(own().map(({ body, atMs }) => [firstNameOf(body), atMs]));
  return [...committedAtMs].map(([name, atMs]) => (arrivedAtMs.get(name) ?? Infinity) - atMs);
}

function firstNameOf(body: Record<string, unknown>): string {
  return (JSON.parse(body.data as string) as { firstName: string }).firstName;
}

async function addCustomers({ ctx }: Merchant, count: number, name = 'Ada'): Promise<void> {
  await ctx.db.execute(sql`
    insert into customer (merchant_id, first_name) select ${ctx.merchantId}, ${name} from generate_series(1, ${count}::int)`);
}

/** Gives each webhook its own endpoint. */
async function separateEndpoints({ ctx }: Merchant): Promise<void> {
  await ctx.db.execute(
    sql`update webhook set endpoint = endpoint || '/' || id::text where merchant_id = ${ctx.merchantId}`,
  );
}

/** Adds failed deliveries to each webhook, as after an outage of the receiver. */
async function addFailed({ ctx }: Merchant, count: number): Promise<void> {
  await ctx.db.execute(sql`
    insert into webhook_delivery
      (merchant_id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, state, attempts)
    select merchant_id, id, authorized_app_id, scope, endpoint, uuid_v7(), 1, '{"id":"1"}', 'FAILED', 3
    from webhook, generate_series(1, ${count}::int) where merchant_id = ${ctx.merchantId}`);
}

async function failedOf({ ctx }: Merchant): Promise<string[]> {
  const rows = await ctx.db.execute<{ id: string }>(
    sql`select id from webhook_delivery where merchant_id = ${ctx.merchantId} order by record_id`,
  );
  return rows.map(({ id }) => id);
}

async function redeliver(merchant: Merchant, field: string): Promise<void> {
  const { body } = await merchant.send({ query: `mutation { ${field} { queuedCount } }` });
  expect(body.errors).toBeUndefined();
}

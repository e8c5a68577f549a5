import { createHmac } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { Webhook as Verifier } from 'standardwebhooks';
import { beforeEach, expect, it } from 'vitest';
import { rotateAppSecret } from '../../../src/app/credentials/rotate-app-secret.ts';
import type { Context } from '../../../src/context.ts';
import { claimDeliveries } from '../../../src/webhook/ledger/claim-deliveries.ts';
import { probeWebhooks } from '../../../src/webhook/ledger/probe-webhooks.ts';
import { ownerOf } from '../../support/database.ts';
import { eventsOf, queuedIds, register } from '../../webhook/ledger.ts';
import { until } from './receiver.ts';
import { SECRET, sending } from './sending.ts';

const created = ['store/customer/created'];
/** All statuses from 200 to 999 are pushed in test/webhook/sending/push.test.ts. */
const STATUSES = [200, 201, 202, 204, 206, 226, 299, 300, 301, 302, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503];

const sender = sending();
const { db, shop, receiver } = sender;
let ctx: Context;
beforeEach(async () => {
  ctx = await shop();
});

const start = (retryDelaysMs?: [number, number]) => sender.start(ctx, retryDelaysMs);
const addCustomers = (count: number, context = ctx) => sender.addCustomers(context, count);
const statesOf = (context = ctx) => sender.statesOf(context);
const logOf = (id: string) => sender.logOf(ctx, id);
const statusOf = async () => {
  const [row] = await db().execute<{ status: string }>(
    sql`select status from webhook where merchant_id = ${ctx.merchantId}`,
  );
  return row!.status;
};

it('pushes a change at once, with both signatures', async () => {
  const { received, url } = await receiver();
  await register(ctx, created, { endpoint: `${url}/hook` });
  await start();
  await addCustomers(1);
  const [push] = await until(
    () => received,
    ({ length }) => length === 1,
    2_000,
  );
  const [event] = await eventsOf(ctx);
  expect(push!.body).toMatchObject({
    id: event!.id,
    scope: created[0],
    merchantId: ctx.merchantId,
    authorizedAppId: ctx.session.authorizedAppId,
    sequence: 1,
  });
  expect(JSON.parse(push!.body.data as string)).toEqual(event!.data);
  expect(push!.body.signature).toBe(
    createHmac('sha256', SECRET)
      .update(push!.body.data as string)
      .digest('hex'),
  );
  const text = JSON.stringify(push!.body);
  expect(() =>
    new Verifier(Buffer.from(SECRET).toString('base64')).verify(text, push!.headers as Record<string, string>),
  ).not.toThrow();
  await until(
    () => statesOf(),
    (states) => states.DELIVERED === 1,
  );
  expect(await logOf(event!.id)).toMatchObject({
    attempts: 1,
    log: [{ statusCode: 200, error: null, durationMs: expect.any(Number), at: expect.any(Number) }],
  });
  await until(
    () => queuedIds(db()),
    (ids) => !ids.has(event!.id),
  );
});

it('signs with both secrets after a rotation with overlap, and only with the new one after the overlap', async () => {
  const { received, url } = await receiver();
  await register(ctx, created, { endpoint: url });
  const rotated = await rotateAppSecret(
    { ...ctx, secretKey: ctx.webhook.secretKey },
    { authorizedAppId: ctx.session.authorizedAppId, overlapMs: 60_000 },
  );
  await start();
  const pushed = async (): Promise<{ headers: boolean; data: boolean }[]> => {
    const count = received.length;
    await addCustomers(1);
    await until(
      () => received,
      ({ length }) => length > count,
    );
    const { body, headers } = received.at(-1)!;
    return [SECRET, rotated].map((secret) => ({
      headers: isVerified(secret, JSON.stringify(body), headers),
      data:
        body.signature ===
        createHmac('sha256', secret)
          .update(body.data as string)
          .digest('hex'),
    }));
  };
  expect(await pushed()).toEqual([
    { headers: true, data: true },
    { headers: true, data: false },
  ]);
  expect(received[0]!.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  await db().execute(sql`update authorized_app set former_secret_until = now() where merchant_id = ${ctx.merchantId}`);
  expect(await pushed()).toEqual([
    { headers: false, data: false },
    { headers: true, data: true },
  ]);
});

function isVerified(secret: string, text: string, headers: object): boolean {
  try {
    return Boolean(
      new Verifier(Buffer.from(secret).toString('base64')).verify(text, headers as Record<string, string>),
    );
  } catch {
    return false;
  }
}

// docs/reliability-tests.md: 81
it('makes three requests with delays between them, then gives up', async () => {
  const { received, url } = await receiver((_, response) => response.writeHead(503).end());
  await register(ctx, created, { endpoint: url });
  await start([300, 600]);
  await addCustomers(1);
  await until(
    () => statesOf(),
    (states) => states.FAILED === 1,
  );
  const [first, second, third] = received.map(({ atMs }) => atMs);
  expect(received).toHaveLength(3);
  expect(new Set(received.map(({ id }) => id)).size).toBe(1);
  expect(second! - first!).toBeGreaterThanOrEqual(295);
  expect(third! - second!).toBeGreaterThanOrEqual(595);
  expect((await logOf(received[0]!.id)).log).toMatchObject([
    { statusCode: 503 },
    { statusCode: 503 },
    { statusCode: 503 },
  ]);
});

// docs/reliability-tests.md: 79
it('accepts only status 200 as success, and follows no redirect', async () => {
  const { received, url } = await receiver((one, response) => {
    const { firstName } = JSON.parse(one.body.data as string) as { firstName: string };
    response.writeHead(STATUSES[Number(firstName.slice(1)) - 1]!, { location: '/elsewhere' }).end();
  });
  await register(ctx, created, { endpoint: `${url}/sweep` });
  await db().execute(sql`update webhook set given_up_in_a_row = -1000 where merchant_id = ${ctx.merchantId}`);
  await start([10, 10]);
  await addCustomers(STATUSES.length);
  const refused = STATUSES.length - 1;
  await until(
    () => statesOf(),
    (states) => states.FAILED === refused && states.DELIVERED === 1,
  );
  expect(received).toHaveLength(1 + refused * 3);
  expect(received.every(({ path }) => path === '/sweep')).toBe(true);
});

// docs/reliability-tests.md: 96
it('delays no other endpoint while one hangs', async () => {
  const hanging = await receiver(() => {});
  const quick = await receiver();
  const other = await shop();
  await register(other, created, { endpoint: hanging.url });
  await register(ctx, created, { endpoint: quick.url });
  await start();
  await addCustomers(1_500, other);
  const endsAtMs = Date.now() + 2_000;
  const delays: number[] = [];
  while (Date.now() < endsAtMs) {
    const before = quick.received.length;
    const startedAtMs = Date.now();
    await addCustomers(1);
    await until(
      () => quick.received.length,
      (length) => length > before,
      4_000,
    );
    delays.push(Date.now() - startedAtMs);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  delays.sort((a, b) => a - b);
  expect(delays[Math.floor(delays.length * 0.9)]!).toBeLessThan(500);
  expect(hanging.received.length).toBeLessThanOrEqual(128);
  await hanging.close();
}, 40_000);

it('pauses a webhook after twenty failed deliveries in a row, and sends those that waited when it is resumed', async () => {
  let status = 500;
  const { received, url } = await receiver((_, response) => response.writeHead(status).end());
  await register(ctx, created, { endpoint: url });
  const { stop } = await start([10, 10]);
  await addCustomers(19);
  await until(
    () => statesOf(),
    (states) => states.FAILED === 19,
  );
  status = 200;
  await addCustomers(1);
  await until(
    () => statesOf(),
    (states) => states.DELIVERED === 1,
  );
  status = 500;
  await addCustomers(20);
  await until(
    () => statesOf(),
    (states) => states.FAILED === 39,
  );
  const [webhook] = await db().execute<{ status: string; paused: boolean }>(sql`
    select status, paused_at is not null as paused from webhook where merchant_id = ${ctx.merchantId}`);
  expect(webhook).toEqual({ status: 'PAUSED', paused: true });
  const before = received.length;
  await addCustomers(5);
  status = 200;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(received).toHaveLength(before);
  await stop();
  await db().execute(
    sql`update webhook set status = 'ACTIVE', paused_at = null, given_up_in_a_row = 0 where merchant_id = ${ctx.merchantId}`,
  );
  await db().execute(
    sql`update webhook_delivery set created_at = now() - interval '1 minute' where merchant_id = ${ctx.merchantId}`,
  );
  await start([10, 10]);
  await until(
    () => statesOf(),
    (states) => states.DELIVERED === 6,
  );
});

it('resumes a paused webhook when its endpoint receives a delivery again, and sends those that waited', async () => {
  let status = 500;
  const { received, url } = await receiver((_, response) => response.writeHead(status).end());
  await register(ctx, created, { endpoint: url });
  await addCustomers(20);
  await start([10, 10]);
  await until(
    () => statusOf(),
    (status) => status === 'PAUSED',
  );
  await addCustomers(5);
  status = 200;
  const before = received.length;
  await probeWebhooks({ db: db(), across: sender.across() });
  await db().execute(sql`
    update webhook set paused_at = now() - interval '61 s' where merchant_id = ${ctx.merchantId}`);
  expect(await statesOf()).toMatchObject({ PENDING: 5 });
  await probeWebhooks({ db: db(), across: sender.across() });
  await until(
    () => statesOf(),
    (states) => states.DELIVERED === 5,
  );
  expect(received).toHaveLength(before + 5);
  expect(await statusOf()).toBe('ACTIVE');
});

it('sends nothing more after the webhook is deleted or its app is revoked', async () => {
  const { received, url } = await receiver((_, response) => response.writeHead(500).end());
  const revoked = await shop();
  await register(ctx, created, { endpoint: url });
  await register(revoked, created, { endpoint: url });
  await addCustomers(200);
  await addCustomers(200, revoked);
  await db().execute(sql`delete from webhook where merchant_id = ${ctx.merchantId}`);
  await db().execute(sql`update authorized_app set revoked_at = now() where merchant_id = ${revoked.merchantId}`);
  await start();
  await until(
    () => statesOf(),
    (states) => states.FAILED === 200,
  );
  await until(
    () => statesOf(revoked),
    (states) => states.FAILED === 200,
  );
  expect(received).toEqual([]);
});

it('gives up deliveries for which the app has lost the read scope, and sends the others', async () => {
  const { received, url } = await receiver();
  await register(ctx, [...created, 'store/stock/created', 'store/product/created'], { endpoint: url });
  await addCustomers(2);
  await db().execute(sql`
    insert into webhook_delivery (merchant_id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, next_attempt_at)
    select merchant_id, id, authorized_app_id, scope, endpoint, id, 1, '{}', now() from webhook where merchant_id = ${ctx.merchantId} and scope <> ${created[0]!}`);
  await db().execute(
    sql`update authorized_app set scopes = '{write_inventories,read_orders}' where merchant_id = ${ctx.merchantId}`,
  );
  await start();
  await until(
    () => statesOf(),
    (states) => states.FAILED === 3 && states.DELIVERED === 1,
  );
  expect(received.map(({ body }) => body.scope)).toEqual(['store/stock/created']);
  const failed = (await eventsOf(ctx)).filter(({ state }) => state === 'FAILED');
  for (const { id } of failed)
    expect(await logOf(id)).toMatchObject({
      attempts: 0,
      log: [{ statusCode: null, error: 'scope missing', durationMs: null, at: expect.any(Number) }],
    });
  await until(
    () => queuedIds(db()),
    (ids) => failed.every(({ id }) => !ids.has(id)),
  );
});

it('claims at most 1 MiB of payloads or one larger delivery at once, and sends all of them', async () => {
  const { received, url } = await receiver();
  await register(ctx, created, { endpoint: url });
  const sizes = [300, 3_000, ...Array<number>(8).fill(500), 10];
  for (const kib of sizes) {
    await db().execute(sql`
      insert into webhook_delivery (merchant_id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, next_attempt_at)
      select merchant_id, id, authorized_app_id, scope, endpoint, id, 1, to_json(repeat('x', ${kib}::int * 1024))::text, now() from webhook where merchant_id = ${ctx.merchantId}`);
  }
  const ids = (
    await db().execute<{ id: string }>(
      sql`select id from webhook_delivery where merchant_id = ${ctx.merchantId} order by id`,
    )
  ).map(({ id }) => id);
  const kibOf = (claimed: { data: string }[]) => claimed.map(({ data }) => Math.floor(data.length / 1024));
  expect(kibOf(await claimDeliveries(ctx, ids))).toEqual([300]);
  expect(kibOf(await claimDeliveries(ctx, ids.slice(1)))).toEqual([3_000]);
  expect(kibOf(await claimDeliveries(ctx, ids.slice(2)))).toEqual([500, 500]);
  await db().execute(
    sql`update webhook_delivery set claimed_at = null, attempts = 0 where merchant_id = ${ctx.merchantId}`,
  );
  await start();
  await until(
    () => statesOf(),
    (states) => states.DELIVERED === sizes.length,
  );
  expect(new Set(received.map(({ id }) => id))).toEqual(new Set(ids));
  expect(received).toHaveLength(sizes.length);
}, 30_000);

// docs/reliability-tests.md: 81
it('never claims a delivery twice at the same time, or a fourth time', async () => {
  await register(ctx, created, { endpoint: 'https://receiver.example' });
  await addCustomers(1);
  const { id } = (await eventsOf(ctx))[0]!;
  const lapse = () =>
    db().execute(
      sql`update webhook_delivery set claimed_at = now() - interval '1 minute' where merchant_id = ${ctx.merchantId}`,
    );
  const claims: number[] = [];
  for (let round = 0; round < 5; round++) {
    const won = await Promise.all(Array.from({ length: 8 }, () => claimDeliveries(ctx, [id])));
    claims.push(won.flat().length);
    await lapse();
  }
  expect(claims).toEqual([1, 1, 1, 0, 0]);
  expect((await logOf(id)).log).toMatchObject([{ error: 'interrupted' }, { error: 'interrupted' }]);
});

// docs/reliability-tests.md: 92
it('finds deliveries whose job was lost, and those of a killed worker', async () => {
  const { received, url } = await receiver();
  await register(ctx, created, { endpoint: url });
  await addCustomers(3);
  const ids = (await eventsOf(ctx)).map(({ id }) => id);
  await ownerOf(db()).execute(sql`delete from pgboss.job where id = ${ids[0]!}::uuid`);
  await db().execute(
    sql`update webhook_delivery set next_attempt_at = now() - interval '1 minute' where merchant_id = ${ctx.merchantId} and id = ${ids[0]!}`,
  );
  await claimDeliveries(ctx, [ids[1]!]);
  await db().execute(
    sql`update webhook_delivery set claimed_at = now() - interval '16 seconds' where merchant_id = ${ctx.merchantId} and id = ${ids[1]!}`,
  );
  await ownerOf(db()).execute(
    sql`update pgboss.job set state = 'active', started_on = now() - interval '16 seconds' where id = ${ids[1]!}::uuid`,
  );
  await start();
  await until(
    () => statesOf(),
    (states) => states.DELIVERED === 3,
  );
  expect(received.map(({ id }) => id).sort()).toEqual(ids.sort());
  expect((await logOf(ids[1]!)).log).toMatchObject([{ error: 'interrupted', statusCode: null }, { statusCode: 200 }]);
});

// docs/reliability-tests.md: 99
it('finishes its requests when it is stopped, and uses up no attempt', async () => {
  const { received, url } = await receiver((_, response) => void setTimeout(() => response.writeHead(200).end(), 200));
  await register(ctx, created, { endpoint: url });
  const { stop } = await start();
  await addCustomers(300);
  await until(
    () => received.length,
    (length) => length > 0,
  );
  await stop();
  const events = await eventsOf(ctx);
  expect(events.filter(({ state }) => state === 'DELIVERED').length).toBe(received.length);
  expect(events.filter(({ state }) => state === 'PENDING').every(({ attempts }) => attempts === 0)).toBe(true);
  await start();
  await until(
    () => statesOf(),
    (states) => states.DELIVERED === 300,
    25_000,
  );
  expect(new Set(received.map(({ id }) => id)).size).toBe(300);
  expect(received).toHaveLength(300);
}, 40_000);

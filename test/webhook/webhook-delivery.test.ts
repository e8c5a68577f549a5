import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppScope } from '../../src/app-scope.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { Selection } from '../../src/db/read/projection.ts';
import { deleteWebhook } from '../../src/webhook/deleteWebhook.ts';
import { listWebhookDelivery } from '../../src/webhook/listWebhookDelivery.ts';
import { redeliverWebhook } from '../../src/webhook/redeliverWebhook.ts';
import { redeliverWebhookRange } from '../../src/webhook/redeliverWebhookRange.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { allFields } from '../support/selection.ts';
import { createEvents, createOtherApp, deliveriesOf, endpoint, OWN_SCOPES, save, settle } from './deliveries.ts';

const scope = 'store/customer/created';
const always = { scope, from: 0, to: Date.UTC(2100, 0) };
const all = allFields('WebhookDelivery');
const page: Selection = { count: {}, data: all, hasNext: {}, endCursor: {}, limit: {}, page: {} };

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

/** An app with a webhook for customers and some events. */
async function createListener(events: number): Promise<{ own: Context; ids: string[] }> {
  const own = await createContext(database.db, OWN_SCOPES);
  await save(own, [scope]);
  return { own, ids: await createEvents(own, events) };
}

function withScopes(ctx: Context, scopes: readonly AppScope[]): Context {
  return { ...ctx, session: { ...ctx.session, scopes: new Set(scopes) } };
}

async function listed(ctx: Context, args = {}): Promise<string[]> {
  return (await listWebhookDelivery(ctx, args, page)).data.map(({ id }) => id);
}

describe('listWebhookDelivery', () => {
  it('shows what is sent, to which endpoint, and its state', async () => {
    const { own, ids } = await createListener(2);
    await settle(own, [ids[0]!], 'FAILED');
    const { data, count } = await listWebhookDelivery(own, {}, page);
    expect(count).toBe(2);
    expect(data).toMatchObject([
      { id: ids[1], scope, endpoint, status: 'PENDING', attempts: [] },
      {
        id: ids[0],
        scope,
        endpoint,
        status: 'FAILED',
        attempts: Array(3).fill({ at: expect.any(Number), statusCode: 500, error: null, durationMs: 12 }),
      },
    ]);
    expect(JSON.parse(data[0]!.payload)).toMatchObject({ firstName: 'Customer 1', deleted: false });
    expect(Math.abs((data[0]!.createdAt as number) - Date.now())).toBeLessThan(60_000);
  });

  it('filters by scope, status and time', async () => {
    const { own, ids } = await createListener(3);
    await settle(own, [ids[0]!], 'DELIVERED');
    expect(await listed(own, { status: 'DELIVERED' })).toEqual([ids[0]]);
    expect(await listed(own, { status: 'PENDING' })).toEqual([ids[2], ids[1]]);
    expect(await listed(own, { status: 'FAILED' })).toEqual([]);
    expect(await listed(own, { scope: { eq: scope } })).toHaveLength(3);
    expect(await listed(own, { scope: { like: 'product' } })).toEqual([]);
    expect(await listed(own, { scope: { in: ['store/stock/created', 'no scope'] } })).toEqual([]);
    expect(await listed(own, { createdAt: { gt: Date.now() + 60_000 } })).toEqual([]);
    expect(await listed(own, { createdAt: { gte: Date.now() - 60_000 } })).toHaveLength(3);
  });

  it('pages by number and by cursor', async () => {
    const { own, ids } = await createListener(5);
    const newest = ids.toReversed();
    const first = await listWebhookDelivery(own, { pagination: { limit: 2 } }, page);
    expect(first).toMatchObject({ count: 5, hasNext: true, limit: 2, page: 1 });
    const second = await listWebhookDelivery(own, { pagination: { limit: 2, after: first.endCursor } }, page);
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(newest.slice(0, 4));
    expect(await listed(own, { pagination: { limit: 2, page: 3 } })).toEqual([newest[4]]);
    for (const [pagination, path] of [
      [{ limit: 201 }, ['pagination', 'limit']],
      [{ after: 'x' }, ['pagination', 'after']],
    ] as const) {
      await expect(listed(own, { pagination })).rejects.toMatchObject({
        code: 'ARGUMENT_VALIDATION_ERROR',
        extensions: { issues: [{ path }] },
      });
    }
  });

  it("shows only the app's own", async () => {
    const { own } = await createListener(1);
    expect(await listed(await createOtherApp(own))).toEqual([]);
    expect(await listed(await createContext(database.db))).toEqual([]);
  });

  it('shows only those whose resource the token may read, and refuses a filter by another scope', async () => {
    const { own } = await createListener(1);
    const without = withScopes(own, ['read_products']);
    expect(await listed(without)).toEqual([]);
    expect(await listed(withScopes(own, []))).toEqual([]);
    expect(await listed(withScopes(own, ['write_customers']))).toHaveLength(1);
    for (const filter of [{ eq: scope }, { in: ['store/product/created', scope] }]) {
      await expect(listed(without, { scope: filter })).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
        extensions: { requiredScope: 'read_customers' },
      });
    }
  });
});

describe('redeliverWebhook', () => {
  it('queues failed and delivered ones again, with the same id and their earlier attempts', async () => {
    const { own, ids } = await createListener(3);
    await settle(own, [ids[0]!], 'FAILED');
    await settle(own, [ids[1]!], 'DELIVERED');
    expect(await deliveriesOf(own)).toMatchObject([{ isQueued: false }, { isQueued: false }, { isQueued: true }]);
    expect(await redeliverWebhook(own, { idList: [ids[0]!, ids[1]!, ids[0]!] })).toBe(true);
    expect(await deliveriesOf(own)).toMatchObject(
      ids.map((id) => ({ id, state: 'PENDING', attempts: 0, isDue: true, isQueued: true })),
    );
    const { data } = await listWebhookDelivery(own, {}, page);
    expect(data.map(({ attempts }) => attempts.length)).toEqual([0, 1, 3]);
  });

  it('does not change one that is queued already, so that it gets at most three requests', async () => {
    const { own, ids } = await createListener(1);
    await database.db.execute(
      sql`update webhook_delivery set attempts = 2, next_attempt_at = now() + interval '1 minute' where merchant_id = ${own.merchantId}`,
    );
    expect(await redeliverWebhook(own, { idList: ids })).toBe(true);
    expect(await deliveriesOf(own)).toMatchObject([{ attempts: 2, isDue: false }]);
    // The delivery has waited for a paused webhook, and its request has begun.
    await database.db.execute(
      sql`update webhook_delivery set attempts = 1, next_attempt_at = null, claimed_at = now() where merchant_id = ${own.merchantId}`,
    );
    expect(await redeliverWebhook(own, { idList: ids })).toBe(true);
    expect(await redeliverWebhookRange(own, always)).toBe(true);
    expect(await deliveriesOf(own)).toMatchObject([{ attempts: 1 }]);
  });

  it('sends to the present endpoint of the app for the scope, also if the webhook was deleted and saved again', async () => {
    const { own, ids } = await createListener(2);
    await settle(own, ids, 'FAILED');
    await save(own, [scope], 'https://moved.example/');
    await redeliverWebhook(own, { idList: [ids[0]!] });
    expect(await deliveriesOf(own)).toMatchObject([
      { endpoint: 'https://moved.example/' },
      { endpoint, state: 'FAILED' },
    ]);
    await deleteWebhook(own, { scopes: [scope] });
    await expect(redeliverWebhook(own, { idList: ids })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'Webhook', ids: [scope], path: ['idList'] },
    });
    const [anew] = await save(own, [scope], 'https://anew.example/');
    await redeliverWebhook(own, { idList: ids });
    expect(await deliveriesOf(own)).toMatchObject(
      Array(2).fill({ endpoint: 'https://anew.example/', webhookId: anew!.id, state: 'PENDING', isQueued: true }),
    );
  });

  it('names unknown ids, and queues none', async () => {
    const { own, ids } = await createListener(1);
    await settle(own, ids, 'FAILED');
    const foreign = await createListener(1);
    const sibling = await createOtherApp(own);
    await save(sibling, [scope]);
    const [siblings] = await createEvents(sibling, 1);
    for (const unknown of [newId(), 'no id', foreign.ids[0]!, siblings!]) {
      await expect(redeliverWebhook(own, { idList: [ids[0]!, unknown] })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'WebhookDelivery', ids: [unknown], path: ['idList'] },
      });
    }
    expect((await deliveriesOf(own))[0]).toMatchObject({ state: 'FAILED', isQueued: false });
    expect(await redeliverWebhook(own, { idList: [] })).toBe(true);
  });

  it("needs the read scope of each delivery's resource", async () => {
    const { own, ids } = await createListener(1);
    await settle(own, ids, 'FAILED');
    await expect(redeliverWebhook(withScopes(own, ['write_products']), { idList: ids })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      extensions: { requiredScope: 'read_customers' },
    });
    expect(await deliveriesOf(own)).toMatchObject([{ state: 'FAILED' }]);
  });

  it('is refused while the webhook is paused; deliveries that waited are sent when it is resumed', async () => {
    const { own } = await createListener(0);
    await database.db.execute(
      sql`update webhook set status = 'PAUSED', paused_at = now() where merchant_id = ${own.merchantId}`,
    );
    const ids = await createEvents(own, 2);
    expect(await deliveriesOf(own)).toMatchObject(Array(2).fill({ state: 'PENDING', isDue: false, isQueued: false }));
    const { webhookId } = (await deliveriesOf(own))[0]!;
    await expect(redeliverWebhook(own, { idList: ids })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `The webhook is paused: ${scope}. Resume it first: resumeWebhook(id: "${webhookId}").`,
      extensions: { scopes: [scope], webhookIds: [webhookId] },
    });
    await save(own, [scope], 'https://moved.example/');
    expect(await deliveriesOf(own)).toMatchObject(Array(2).fill({ isQueued: false }));
    await redeliverWebhookRange(own, always);
    expect(await deliveriesOf(own)).toMatchObject(
      Array(2).fill({ endpoint: 'https://moved.example/', state: 'PENDING', isDue: true, isQueued: true }),
    );
  });
});

describe('redeliverWebhookRange', () => {
  it('queues the failed deliveries of the time range, and no delivered ones', async () => {
    const { own, ids } = await createListener(4);
    await settle(own, ids.slice(0, 3), 'FAILED');
    await settle(own, [ids[3]!], 'DELIVERED');
    const at = (id: string, day: number) =>
      database.db.execute(
        sql`update webhook_delivery set created_at = ${new Date(Date.UTC(2020, 0, day)).toISOString()}::timestamptz where merchant_id = ${own.merchantId} and id = ${id}`,
      );
    for (const [index, id] of ids.entries()) await at(id, index + 1);
    expect(await redeliverWebhookRange(own, { scope, from: Date.UTC(2020, 0, 2), to: Date.UTC(2020, 0, 4) })).toBe(
      true,
    );
    expect((await deliveriesOf(own)).map(({ state }) => state)).toEqual(['FAILED', 'PENDING', 'PENDING', 'DELIVERED']);
    expect(await redeliverWebhookRange(own, { scope, from: 0, to: 0 })).toBe(true);
  });

  it('does not change deliveries of other apps and scopes', async () => {
    const { own, ids } = await createListener(1);
    const sibling = await createOtherApp(own);
    await save(sibling, [scope]);
    await save(own, ['store/customer/updated']);
    await settle(own, ids, 'FAILED');
    expect(await redeliverWebhookRange(sibling, always)).toBe(true);
    expect(await redeliverWebhookRange(own, { ...always, scope: 'store/customer/updated' })).toBe(true);
    expect(await deliveriesOf(own)).toMatchObject([{ state: 'FAILED' }]);
  });

  it('refuses an invalid time range, an invalid scope, and a token without the read scope', async () => {
    const { own } = await createListener(0);
    const refused = async (args: object, ctx = own) =>
      await redeliverWebhookRange(ctx, { ...always, ...args }).catch((error: unknown) => error);
    expect(await refused({ from: 2, to: 1 })).toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['to'] }] },
    });
    expect(await refused({ scope: 'store/order/created' })).toMatchObject({ code: 'INVALID_SCOPE' });
    expect(await refused({ scope: 'store/stock/created' })).toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'Webhook', ids: ['store/stock/created'], path: ['scope'] },
    });
    expect(await refused({}, withScopes(own, ['read_products']))).toMatchObject({
      code: 'UNAUTHORIZED',
      extensions: { requiredScope: 'read_customers' },
    });
  });

  it('accepts 20,000 deliveries at once, and refuses more', async () => {
    const { own, ids } = await createListener(1);
    await settle(own, ids, 'FAILED');
    await database.db.execute(sql`
      insert into webhook_delivery (merchant_id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, state, created_at)
      select merchant_id, webhook_id, authorized_app_id, scope, endpoint, record_id, n, '{}', 'FAILED', created_at + n * interval '1 ms'
      from webhook_delivery, generate_series(1, 20000) as n where merchant_id = ${own.merchantId}`);
    await expect(redeliverWebhookRange(own, always)).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['to'], message: expect.stringContaining('20,000') }] },
    });
    const [oldest] = (await listWebhookDelivery(own, { pagination: { limit: 1, page: 20_001 } }, page)).data;
    expect(await redeliverWebhookRange(own, { ...always, from: (oldest!.createdAt as number) + 1 })).toBe(true);
    const jobs = await database.owner.execute(sql`
      select count(*)::int as queued from pgboss.job
      where name = 'webhook-delivery' and state < 'active' and data ->> 'merchantId' = ${own.merchantId}`);
    expect([...jobs]).toEqual([{ queued: 20_000 }]);
    const pending = await database.db.execute(sql`
      select count(*)::int as pending from webhook_delivery
      where merchant_id = ${own.merchantId} and state = 'PENDING'`);
    expect([...pending]).toEqual([{ pending: 20_000 }]);
  });
});

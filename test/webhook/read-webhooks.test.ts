import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppScope } from '../../src/app-scope.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type CallOperation, startOperations } from '../support/operation.ts';
import { createEvents, createOtherApp, deliveriesOf, endpoint, save, settle } from './deliveries.ts';

const scope = 'store/customer/created';
const always = { scope, from: 0, to: Date.UTC(2100, 0) };

type Delivery = {
  id: string;
  payload: string;
  truncated: string[] | null;
  attempts: { responseBody: string | null }[];
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

/** Creates an app with failed deliveries, and a second app of the merchant with the given scopes. */
async function createPair(
  scopes: readonly AppScope[],
  events = 2,
): Promise<{ own: Context; other: Context; ids: string[] }> {
  const own = await createContext(database.db, ['write_customers', 'write_products']);
  await save(own, [scope]);
  const ids = await createEvents(own, events);
  await settle(own, ids, 'FAILED');
  return { own, other: await createOtherApp(own, scopes), ids };
}

async function listed(ctx: Context, args: object = {}): Promise<string[]> {
  const { data, errors } = await api.call(ctx, 'listWebhookDelivery', args);
  expect(errors).toBeUndefined();
  return (data!['listWebhookDelivery'] as { data: Delivery[] }).data.map(({ id }) => id);
}

describe('read_webhooks', () => {
  it("shows the webhooks and deliveries of all the merchant's apps, and of no other merchant", async () => {
    const { own, other, ids } = await createPair(['read_webhooks', 'read_customers']);
    const { authorizedAppId } = own.session;
    expect(await listed(other)).toEqual(ids.toReversed());
    const { data } = await api.call(other, 'listWebhook', {});
    expect(data!['listWebhook']).toMatchObject([{ scope, endpoint, authorizedAppId }]);
    expect(await listed(await createContext(database.db, ['read_webhooks', 'read_customers']))).toEqual([]);
    for (const filter of [{ eq: authorizedAppId }, { in: [authorizedAppId] }, { ne: newId() }]) {
      const { data } = await api.call(other, 'listWebhook', { authorizedAppId: filter });
      expect(data!['listWebhook']).toHaveLength(1);
    }
  });

  it("is not needed for the app's own webhooks", async () => {
    const { own, other, ids } = await createPair(['read_customers']);
    expect(await listed(own)).toEqual(ids.toReversed());
    expect(await listed(other)).toEqual([]);
    expect(await listed(other, { authorizedAppId: { eq: own.session.authorizedAppId } })).toEqual([]);
    const { data } = await api.call(other, 'listWebhook', {});
    expect(data!['listWebhook']).toEqual([]);
  });

  it('is included in write_webhooks', async () => {
    const { other, ids } = await createPair(['write_webhooks', 'read_customers']);
    expect(await listed(other)).toEqual(ids.toReversed());
  });

  it("shows payload and answer only with the read scope of the delivery's resource", async () => {
    const { other, ids } = await createPair(['read_webhooks', 'read_products'], 1);
    const attempt = {
      at: 1,
      statusCode: 500,
      error: 'status 500',
      durationMs: 1,
      responseBody: 'Customer 0 is unknown',
    };
    await database.db.execute(sql`
      update webhook_delivery set attempt_log = ${JSON.stringify([attempt])}::json, truncated = '["note"]'
      where merchant_id = ${other.merchantId}`);
    const { data } = await api.call(other, 'listWebhookDelivery', { scope: { eq: scope } });
    const [delivery] = (data!['listWebhookDelivery'] as { data: (Delivery & { recordId: string })[] }).data;
    expect(delivery).toMatchObject({
      id: ids[0],
      truncated: ['*'],
      attempts: [{ statusCode: 500, error: 'status 500', responseBody: null }],
    });
    expect(JSON.parse(delivery!.payload)).toEqual({ id: delivery!.recordId });
    expect(JSON.stringify(data)).not.toContain('Customer 0');
    const readable = {
      ...other,
      session: { ...other.session, scopes: new Set<AppScope>(['read_webhooks', 'read_customers']) },
    };
    const [shown] = (
      (await api.call(readable, 'listWebhookDelivery', {})).data!['listWebhookDelivery'] as { data: Delivery[] }
    ).data;
    expect(shown).toMatchObject({ truncated: ['note'], attempts: [{ responseBody: 'Customer 0 is unknown' }] });
    expect(JSON.parse(shown!.payload)).toMatchObject({ firstName: 'Customer 0' });
  });

  it('pages through more webhooks than one page has', async () => {
    const { other } = await createPair(['read_webhooks']);
    await database.db.execute(sql`
      insert into authorized_app (merchant_id, id, name, partner_id, store_app_id, scopes, client_id, client_secret_encrypted, added_date)
      select ${other.merchantId}, uuid_v7(), 'Many', 'partner', 'store-app', '{}', n::text, 'none', now() from generate_series(1, 60) as n`);
    await database.db.execute(sql`
      insert into webhook (merchant_id, authorized_app_id, scope, endpoint)
      select ${other.merchantId}, id, ${scope}, ${endpoint} from authorized_app where merchant_id = ${other.merchantId} and name = 'Many'`);
    const page = async (pagination: object) =>
      (await api.call(other, 'listWebhook', { pagination })).data!['listWebhook'] as object[];
    expect(await page({ limit: 200 })).toHaveLength(61);
    expect(await page({ limit: 50, page: 2 })).toHaveLength(11);
    expect((await api.call(other, 'listWebhook', { pagination: { limit: 201 } })).errors).toMatchObject([
      { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['pagination', 'limit'] }] } },
    ]);
  });
});

describe('listWebhookDelivery', () => {
  it('filters by id, record, endpoint and app', async () => {
    const { own, other, ids } = await createPair(['read_webhooks', 'write_customers'], 3);
    await save(other, [scope], 'https://second.example/in');
    const [seconds] = await createEvents(other, 1);
    expect(await listed(other, { id: { eq: ids[0] } })).toEqual([ids[0]]);
    expect(await listed(other, { id: { in: [ids[0], ids[2], newId(), 'no id'] } })).toEqual([ids[2], ids[0]]);
    const [{ recordId }] = (await database.db.execute<{ recordId: string }>(
      sql`select record_id as "recordId" from webhook_delivery where merchant_id = ${own.merchantId} and id = ${ids[1]}`,
    )) as unknown as [{ recordId: string }];
    expect(await listed(own, { recordId: { eq: recordId } })).toEqual([ids[1]]);
    expect(await listed(own, { recordId: { eq: 'no id' } })).toEqual([]);
    expect(await listed(other, { endpoint: { eq: 'https://second.example/in' } })).toEqual([seconds]);
    expect(await listed(other, { endpoint: { like: 'SECOND.example' } })).toEqual([seconds]);
    expect(await listed(other, { authorizedAppId: { eq: other.session.authorizedAppId } })).toEqual([seconds]);
    expect(await listed(other, { authorizedAppId: { ne: other.session.authorizedAppId }, status: 'FAILED' })).toEqual(
      ids.toReversed(),
    );
  });
});

describe("another app's deliveries", () => {
  it.each([
    ['redeliverWebhook', (ids: string[]) => ({ idList: ids }), true],
    ['redeliverWebhookDeliveryList', (ids: string[]) => ({ idList: ids }), { queuedCount: 2, unchangedCount: 0 }],
  ])('are sent again by %s with write_webhooks, to the webhook of their own app', async (name, args, answer) => {
    const { own, other, ids } = await createPair(['write_webhooks', 'read_customers']);
    await save(other, [scope], 'https://second.example/in');
    expect((await api.call(other, name, args(ids))).data).toEqual({ [name]: answer });
    expect(await deliveriesOf(own)).toMatchObject(
      ids.map((id) => ({ id, state: 'PENDING', endpoint, isQueued: true })),
    );
  });

  it('are sent again as a range with write_webhooks', async () => {
    const { own, other, ids } = await createPair(['write_webhooks', 'read_customers']);
    const { authorizedAppId } = own.session;
    const { data } = await api.call(other, 'redeliverWebhookDeliveryRange', { ...always, authorizedAppId });
    expect(data).toEqual({ redeliverWebhookDeliveryRange: { queuedCount: 2, unchangedCount: 0 } });
    expect(await deliveriesOf(own)).toMatchObject(ids.map(() => ({ state: 'PENDING', endpoint, isQueued: true })));
    const again = await api.call(other, 'redeliverWebhookDeliveryRange', { ...always, authorizedAppId });
    expect(again.data).toEqual({ redeliverWebhookDeliveryRange: { queuedCount: 0, unchangedCount: 2 } });
  });

  it('are not sent again without write_webhooks, and are unknown without read_webhooks', async () => {
    const { own, other, ids } = await createPair(['read_webhooks', 'read_customers']);
    const { authorizedAppId } = own.session;
    const refused = { code: 'UNAUTHORIZED', requiredScope: 'write_webhooks' };
    for (const [name, args] of [
      ['redeliverWebhook', { idList: ids }],
      ['redeliverWebhookDeliveryList', { idList: ids }],
      ['redeliverWebhookDeliveryRange', { ...always, authorizedAppId }],
    ] as const) {
      expect((await api.call(other, name, args)).errors, name).toMatchObject([{ extensions: refused }]);
    }
    const blind = await createOtherApp(own, ['read_customers']);
    expect((await api.call(blind, 'redeliverWebhookDeliveryList', { idList: ids })).errors).toMatchObject([
      { extensions: { code: 'NOT_FOUND', type: 'WebhookDelivery', ids } },
    ]);
    expect(await deliveriesOf(own)).toMatchObject(ids.map(() => ({ state: 'FAILED' })));
  });

  it('need the read scope of their resource to be sent again', async () => {
    const { own, other, ids } = await createPair(['write_webhooks', 'read_products']);
    for (const [name, args] of [
      ['redeliverWebhookDeliveryList', { idList: ids }],
      ['redeliverWebhookDeliveryRange', { ...always, authorizedAppId: own.session.authorizedAppId }],
    ] as const) {
      expect((await api.call(other, name, args)).errors, name).toMatchObject([
        { extensions: { code: 'UNAUTHORIZED', requiredScope: 'read_customers' } },
      ]);
    }
  });

  it('are not shown in a stored response to a token that has lost write_webhooks', async () => {
    const { other, ids } = await createPair(['write_webhooks', 'read_customers']);
    const headers = { 'idempotency-key': newId() };
    expect((await api.call(other, 'redeliverWebhookDeliveryList', { idList: ids }, headers)).errors).toBeUndefined();
    const reduced = {
      ...other,
      session: { ...other.session, scopes: new Set<AppScope>(['read_webhooks', 'read_customers']) },
    };
    expect((await api.call(reduced, 'redeliverWebhookDeliveryList', { idList: ids }, headers)).errors).toMatchObject([
      { extensions: { code: 'UNAUTHORIZED', requiredScope: 'write_webhooks' } },
    ]);
  });
});

describe('redeliverWebhookDeliveryRange', () => {
  it('counts the deliveries that it has queued and those that were pending', async () => {
    const { own, ids } = await createPair([], 3);
    await database.db.execute(sql`
      update webhook_delivery set state = 'PENDING', next_attempt_at = now() + interval '1 minute'
      where merchant_id = ${own.merchantId} and id = ${ids[0]}`);
    const { data } = await api.call(own, 'redeliverWebhookDeliveryRange', always);
    expect(data).toEqual({ redeliverWebhookDeliveryRange: { queuedCount: 2, unchangedCount: 1 } });
    const unknown = await api.call(own, 'redeliverWebhookDeliveryRange', { ...always, authorizedAppId: newId() });
    expect(unknown.errors).toMatchObject([{ extensions: { code: 'UNAUTHORIZED', requiredScope: 'write_webhooks' } }]);
  });
});

import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppScope } from '../../src/app-scope.ts';
import { revokeApp } from '../../src/app/revoke-app.ts';
import type { Context } from '../../src/context.ts';
import { inTransaction } from '../../src/db/connection/transaction.ts';
import { newId } from '../../src/db/sql/id.ts';
import { saveCustomer } from '../../src/customer/saveCustomer.ts';
import { deleteWebhook } from '../../src/webhook/deleteWebhook.ts';
import { saveWebhook } from '../../src/webhook/saveWebhook.ts';
import { redeliverWebhook } from '../../src/webhook/redeliverWebhook.ts';
import { type CallOperation, startOperations } from '../support/operation.ts';
import { until } from '../worker/webhooks/receiver.ts';
import { sending } from '../worker/webhooks/sending.ts';
import { createOtherApp, deliveriesOf, save } from './deliveries.ts';
import { createProduct, updateProduct, WAYS } from './product-writes.ts';

const created = 'store/product/created';
const updated = 'store/product/updated';
const deleted = 'store/product/deleted';
const NOWHERE = 'http://127.0.0.1:39999/';

type Explanation = {
  code: string;
  message: string;
  causedAt: number | null;
  deliveryId: string | null;
  webhookId: string | null;
};

const { db, shop, start, receiver } = sending();
let ctx: Context;
let api: { call: CallOperation; stop(): Promise<void> };
beforeEach(async () => {
  ctx = await shop();
  api = await startOperations(db());
});
afterEach(() => api.stop());

async function explain(scope: string, recordId: string, of: { as?: Context; app?: string } = {}): Promise<Explanation> {
  const variables = { scope, recordId, ...(of.app && { authorizedAppId: of.app }) };
  const { data, errors } = await api.call(of.as ?? ctx, 'explainWebhook', variables);
  expect(errors).toBeUndefined();
  return data!['explainWebhook'] as Explanation;
}

async function millis(column: string, table: string, id: string): Promise<number> {
  const [row] = await db().execute<{ ms: number }>(sql`
    select (extract(epoch from ${sql.identifier(column)}) * 1000)::float8 as ms from ${sql.identifier(table)}
    where merchant_id = ${ctx.merchantId} and id = ${id}`);
  return row!.ms;
}

/** Times are stored in milliseconds, so a later time must differ by more than one. */
const CLOCK_MS = 5;
const at = (ms: number | null): string => new Date(ms!).toISOString();

describe.each(WAYS)('explainWebhook of a product written by %s', (way) => {
  const create = (salesChannelIds?: string[]) => createProduct(ctx, way, salesChannelIds);
  const update = (id: string, name: string) => updateProduct(ctx, way, id, name);

  it('says that there was no webhook', async () => {
    const id = await create();
    expect(await explain(created, id)).toMatchObject({
      code: 'NOT_REGISTERED',
      causedAt: null,
      deliveryId: null,
      webhookId: null,
    });
    await save(ctx, [updated], NOWHERE);
    expect(await explain(created, id)).toMatchObject({ code: 'NOT_REGISTERED' });
  });

  it('says that the webhook was registered later', async () => {
    const id = await create();
    await wait(CLOCK_MS);
    const [first, second] = await save(ctx, [created, updated], NOWHERE);
    const registeredAt = await millis('created_at', 'webhook', first!.id);
    const explained = await explain(created, id);
    expect(explained).toMatchObject({
      code: 'REGISTERED_LATER',
      causedAt: registeredAt,
      deliveryId: null,
      webhookId: first!.id,
    });
    expect(explained.message).toContain(at(registeredAt));
    expect(explained.message).toContain(at(await millis('created_at', 'product', id)));
    expect(await explain(updated, id)).toMatchObject({ code: 'REGISTERED_LATER', webhookId: second!.id });
    // A later change must not affect the explanation of the creation.
    await update(id, 'Later');
    expect(await explain(created, id)).toMatchObject({
      code: 'REGISTERED_LATER',
      message: expect.not.stringContaining('changes nothing'),
    });
    expect(await explain(updated, id)).toMatchObject({ code: 'WAITING' });
  });

  it('says that a change of a transaction that ended after the registration was made before it', async () => {
    const id = await create();
    await inTransaction(ctx, async (own) => {
      await own.db.execute(sql`update product set name = 'Late' where merchant_id = ${ctx.merchantId} and id = ${id}`);
      await wait(CLOCK_MS);
      await save(ctx, [updated], NOWHERE);
    });
    expect(await explain(updated, id)).toMatchObject({ code: 'REGISTERED_LATER', deliveryId: null });
  });

  it('says that a save changed nothing', async () => {
    await save(ctx, [created, updated, deleted], NOWHERE);
    const id = await create();
    await update(id, 'Product');
    const explained = await explain(updated, id);
    expect(explained).toMatchObject({ code: 'UNCHANGED', deliveryId: null });
    expect(Math.abs(explained.causedAt! - (await millis('created_at', 'product', id)))).toBeLessThan(5_000);
    expect(explained.message).toContain(`The last recorded change, at ${at(explained.causedAt)}, was the creation`);
    expect(explained.message).toContain('A save that changes nothing sends no event.');
    expect(await explain(deleted, id)).toMatchObject({ code: 'UNCHANGED' });
  });

  it('says that the record was in no sales channel of the webhook', async () => {
    const [inside, outside] = [newId(), newId()];
    await db().execute(sql`
      insert into sales_channel (merchant_id, id, name, type) values
        (${ctx.merchantId}, ${inside}, 'In', 'STOREFRONT'), (${ctx.merchantId}, ${outside}, 'Out', 'STOREFRONT')`);
    await save(ctx, [created, updated], NOWHERE);
    await db().execute(
      sql`update webhook set sales_channel_ids = ${`{${inside}}`}::uuid[] where merchant_id = ${ctx.merchantId}`,
    );
    const id = await create([outside]);
    expect(await explain(created, id)).toMatchObject({ code: 'OTHER_SALES_CHANNELS', deliveryId: null });
    await update(id, 'Renamed');
    expect(await explain(updated, id)).toMatchObject({ code: 'OTHER_SALES_CHANNELS' });
    expect(await explain(created, id)).toMatchObject({ code: 'OTHER_SALES_CHANNELS' });
    const seen = await create([inside]);
    expect(await explain(created, seen)).toMatchObject({ code: 'WAITING' });
  });

  it('says when it was delivered, and that nothing has changed since', async () => {
    const { url } = await receiver((_, response) => response.end('thanks'));
    await save(ctx, [created, updated], url);
    await start(ctx, [10, 10]);
    const id = await create();
    const explained = await until(
      () => explain(created, id),
      ({ code }) => code === 'DELIVERED',
    );
    expect(explained.message).toMatch(/^Delivered at \S+Z: answered 200 "thanks"\./);
    expect(explained.message).toContain('No later change is recorded.');
    await update(id, 'Renamed');
    const next = await until(
      () => explain(updated, id),
      ({ code }) => code === 'DELIVERED',
    );
    expect(next.deliveryId).not.toBe(explained.deliveryId);
    expect((await explain(created, id)).message).toContain('later change');
  });

  it('says what the receiver answered, if the delivery is given up', async () => {
    const { url } = await receiver((_, response) => response.writeHead(401).end('signature mismatch'));
    await save(ctx, [created], url);
    await start(ctx, [10, 10]);
    const id = await create();
    const explained = await until(
      () => explain(created, id),
      ({ code }) => code === 'GIVEN_UP',
    );
    expect(explained.message).toMatch(
      /^Given up after 3 attempts\. The last one, at \S+Z, answered 401 "signature mismatch"\./,
    );
  });

  it('waits without an attempt if the secret cannot be decrypted, and says so', async () => {
    await save(ctx, [created], NOWHERE);
    await db().execute(
      sql`update authorized_app set client_secret_encrypted = 'none' where merchant_id = ${ctx.merchantId}`,
    );
    await start(ctx, [10, 10]);
    const id = await create();
    const explained = await until(
      () => explain(created, id),
      ({ message }) => message.includes('could not be signed'),
    );
    expect(explained.code).toBe('WAITING');
    expect(explained.message).toMatch(
      /^Attempt 1 of 3 is due at \S+Z\. It could not be signed before: the client secret/,
    );
  });

  it('says when the next request is due', async () => {
    const { url } = await receiver((_, response) => response.writeHead(503).end('busy'));
    await save(ctx, [created], url);
    await start(ctx, [60_000, 60_000]);
    const id = await create();
    const explained = await until(
      () => explain(created, id),
      ({ message }) => message.includes('busy'),
    );
    expect(explained.code).toBe('WAITING');
    expect(explained.causedAt! - Date.now()).toBeGreaterThan(40_000);
    expect(explained.message).toContain(`Attempt 2 of 3 is due at ${at(explained.causedAt)}`);
    expect(explained.message).toContain('answered 503 "busy"');
  });

  it('says that a request is under way, also one to a former endpoint', async () => {
    await save(ctx, [created], NOWHERE);
    const id = await create();
    const { deliveryId } = await explain(created, id);
    await db().execute(sql`
      update webhook_delivery set attempts = 2, claimed_at = now() where merchant_id = ${ctx.merchantId}`);
    const since = at(await millis('claimed_at', 'webhook_delivery', deliveryId!));
    expect((await explain(created, id)).message).toContain(`Attempt 2 of 3 is under way since ${since}.`);
    await save(ctx, [created], `${NOWHERE}moved`);
    await redeliverWebhook(ctx, { idList: [deliveryId!] });
    const { message } = await explain(created, id);
    expect(message).toContain(`A request to the former endpoint is under way since ${since}.`);
  });

  it.each([
    [1, 'Attempt 2 of 3'],
    [3, 'Marking the delivery as failed'],
  ])(
    'says that the worker stopped during request %i, so that what follows waits for a worker',
    async (attempts, next) => {
      await save(ctx, [created], NOWHERE);
      const id = await create();
      await db().execute(sql`
      update webhook_delivery set attempts = ${attempts}, claimed_at = now() - interval '2 hours', next_attempt_at = null
      where merchant_id = ${ctx.merchantId}`);
      const { code, message, causedAt } = await explain(created, id);
      expect({ code, message }).toEqual({
        code: 'WAITING',
        message: `${next} has been due since ${at(causedAt)} and waits for the worker. The last attempt was interrupted.`,
      });
    },
  );

  it('says since when the webhook is paused, and why', async () => {
    const [hook] = await save(ctx, [created], NOWHERE);
    await db().execute(sql`
      update webhook set status = 'PAUSED', paused_at = now(), given_up_in_a_row = 20 where merchant_id = ${ctx.merchantId}`);
    const id = await create();
    const pausedAt = await millis('paused_at', 'webhook', hook!.id);
    const explained = await explain(created, id);
    expect(explained).toMatchObject({ code: 'PAUSED', causedAt: pausedAt, webhookId: hook!.id });
    expect(explained.message).toContain(`paused since ${at(pausedAt)}, after 20 failed deliveries in a row`);
    expect(explained.message).toContain('waits until the webhook is resumed.');
    expect(explained).toMatchObject({ webhookStatus: 'PAUSED', endpoint: NOWHERE, appName: 'Test' });
  });

  it('says that the app may no longer read it, before and after the delivery fails', async () => {
    await save(ctx, [created], NOWHERE);
    const id = await create();
    await db().execute(
      sql`update authorized_app set scopes = '{read_customers}' where merchant_id = ${ctx.merchantId}`,
    );
    expect(await explain(created, id)).toMatchObject({ code: 'APP_MAY_NOT_READ' });
    await start(ctx);
    const failed = async () =>
      (
        await db().execute(sql`
      select from webhook_delivery where merchant_id = ${ctx.merchantId} and state = 'FAILED'`)
      ).length;
    await until(failed, (count) => count === 1);
    const explained = await explain(created, id);
    expect(explained.code).toBe('APP_MAY_NOT_READ');
    expect(explained.message).toContain('read_products');
  });

  it('says that the app could not read it then, if it has the scope again', async () => {
    await save(ctx, [created], NOWHERE);
    const id = await create();
    const grant = (scopes: string) =>
      db().execute(sql`update authorized_app set scopes = ${scopes} where merchant_id = ${ctx.merchantId}`);
    await grant('{}');
    await start(ctx);
    const failed = async () => (await deliveriesOf(ctx)).filter(({ state }) => state === 'FAILED');
    await until(failed, ({ length }) => length === 1);
    await grant('{read_products}');
    const { code, message, causedAt } = await explain(created, id);
    expect(code).toBe('GIVEN_UP');
    expect(message).toContain(
      `Given up at ${at(causedAt)}, because the app did not have the scope read_products then.`,
    );
    expect(message).toContain('redeliverWebhook');
  });

  it('says that the webhook was deleted, and registered again', async () => {
    await save(ctx, [created], NOWHERE);
    const id = await create();
    await deleteWebhook(ctx, { scopes: [created] });
    const deletedAt = (await explain(created, id)).causedAt;
    expect(Math.abs(deletedAt! - Date.now())).toBeLessThan(5_000);
    expect(await explain(created, id)).toMatchObject({
      code: 'WEBHOOK_DELETED',
      message: expect.stringContaining(`The webhook was deleted at ${at(deletedAt)}, before the event`),
    });
    await start(ctx);
    const failed = async () =>
      (
        await db().execute(sql`
      select from webhook_delivery where merchant_id = ${ctx.merchantId} and state = 'FAILED'`)
      ).length;
    await until(failed, (count) => count === 1);
    expect(await explain(created, id)).toMatchObject({ code: 'WEBHOOK_DELETED', webhookId: null });
    await save(ctx, [created], NOWHERE);
    expect(await explain(created, id)).toMatchObject({ code: 'REGISTERED_LATER' });
  });
});

describe('explainWebhook', () => {
  it('explains customers too', async () => {
    const { id } = await saveCustomer(ctx, { input: { firstName: 'Ada' } }, { id: {} });
    expect(await explain('store/customer/created', id)).toMatchObject({ code: 'NOT_REGISTERED' });
    await save(ctx, ['store/customer/updated', 'store/stock/created'], NOWHERE);
    await saveCustomer(ctx, { input: { id, firstName: 'Ada' } }, { id: {} });
    expect(await explain('store/customer/updated', id)).toMatchObject({ code: 'REGISTERED_LATER' });
    await saveCustomer(ctx, { input: { id, firstName: 'Grace' } }, { id: {} });
    expect(await explain('store/customer/updated', id)).toMatchObject({ code: 'WAITING' });
  });

  it('explains a stock count by the sales channels of its product', async () => {
    const channelId = newId();
    const id = await createProduct(ctx, 'GraphQL');
    const [ids] = (await db().execute<{ variantId: string; locationId: string }>(sql`
      with location as (
        insert into stock_location (merchant_id, name) values (${ctx.merchantId}, 'Store') returning id)
      select variant.id as "variantId", location.id as "locationId" from variant, location
      where variant.merchant_id = ${ctx.merchantId} and variant.product_id = ${id}`)) as unknown as [
      { variantId: string; locationId: string },
    ];
    await save(ctx, ['store/stock/created', 'store/stock/updated'], NOWHERE);
    await db().execute(
      sql`update webhook set sales_channel_ids = ${`{${channelId}}`}::uuid[] where merchant_id = ${ctx.merchantId} and scope = 'store/stock/updated'`,
    );
    const stock = newId();
    await db().execute(sql`
      insert into product_stock_location (merchant_id, id, product_id, variant_id, stock_location_id, stock_count)
      values (${ctx.merchantId}, ${stock}, ${id}, ${ids.variantId}, ${ids.locationId}, 1)`);
    expect(await explain('store/stock/created', stock)).toMatchObject({ code: 'WAITING' });
    expect(await explain('store/stock/updated', stock)).toMatchObject({ code: 'UNCHANGED' });
    await db().execute(
      sql`update product_stock_location set stock_count = 2 where merchant_id = ${ctx.merchantId} and id = ${stock}`,
    );
    expect(await explain('store/stock/updated', stock)).toMatchObject({ code: 'OTHER_SALES_CHANNELS' });
  });

  it('explains the events of a record that was removed', async () => {
    await save(ctx, [deleted], NOWHERE);
    const id = await createProduct(ctx, 'plain SQL');
    await db().execute(sql`delete from product where merchant_id = ${ctx.merchantId} and id = ${id}`);
    expect(await explain(deleted, id)).toMatchObject({ code: 'WAITING' });
  });

  it('says that the app is revoked, of a waiting delivery, a failed one and a later change', async () => {
    const other = await createOtherApp(ctx);
    const app = other.session.authorizedAppId;
    await save(other, [created, updated], NOWHERE);
    const id = await createProduct(ctx, 'GraphQL');
    await revokeApp(ctx, other.session);
    const revoked = async (scope: string) => {
      const explained = await explain(scope, id, { app });
      expect(explained).toMatchObject({ code: 'APP_REVOKED', webhookId: null });
      return explained;
    };
    const { deliveryId } = await revoked(created);
    await start(ctx);
    await until(
      async () => (await deliveriesOf(other))[0]!,
      ({ state }) => state === 'FAILED',
    );
    expect(await revoked(created)).toMatchObject({ deliveryId });
    await updateProduct(ctx, 'GraphQL', id, 'Renamed');
    const { deliveryId: none, message } = await revoked(updated);
    expect([none, message]).toEqual([null, 'The app is revoked, so nothing is sent.']);
  });

  it('explains another app with read_webhooks, and says that it is revoked', async () => {
    const other = await createOtherApp(ctx);
    await save(other, [created], NOWHERE);
    const app = other.session.authorizedAppId;
    const id = await createProduct(ctx, 'GraphQL');
    expect(await explain(created, id)).toMatchObject({ code: 'NOT_REGISTERED' });
    await db().execute(
      sql`update authorized_app set scopes = '{read_products}' where merchant_id = ${ctx.merchantId} and id = ${app}`,
    );
    expect(await explain(created, id, { app })).toMatchObject({ code: 'WAITING' });
    await db().execute(
      sql`update authorized_app set revoked_at = now() where merchant_id = ${ctx.merchantId} and id = ${app}`,
    );
    expect(await explain(created, id, { app })).toMatchObject({ code: 'APP_REVOKED' });
    const blind = await createOtherApp(ctx);
    const { errors } = await api.call(blind, 'explainWebhook', { scope: created, recordId: id, authorizedAppId: app });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHORIZED', requiredScope: 'read_webhooks' } }]);
  });

  it('refuses unknown scopes, records and apps, and a token without the read scope', async () => {
    const id = await createProduct(ctx, 'GraphQL');
    const refused = async (variables: object, as = ctx) =>
      (await api.call(as, 'explainWebhook', { scope: created, recordId: id, ...variables })).errors?.[0]?.extensions;
    expect(await refused({ scope: 'store/order/created' })).toMatchObject({ code: 'INVALID_SCOPE' });
    expect(await refused({ authorizedAppId: newId() })).toMatchObject({ code: 'NOT_FOUND', type: 'AuthorizedApp' });
    for (const recordId of [
      newId(),
      'no id',
      '\ufffd',
      (await saveCustomer(ctx, { input: { firstName: 'A' } }, { id: {} })).id,
    ])
      expect(await refused({ recordId })).toMatchObject({ code: 'NOT_FOUND', type: 'Product', ids: [recordId] });
    const blind = {
      ...ctx,
      session: { ...ctx.session, scopes: new Set<AppScope>(['read_customers', 'read_webhooks']) },
    };
    expect(await refused({}, blind)).toMatchObject({ code: 'UNAUTHORIZED', requiredScope: 'read_products' });
  });

  it('says when the webhook was deleted, and for which other scopes the app is registered', async () => {
    const id = await createProduct(ctx, 'GraphQL');
    await save(ctx, [created, updated, deleted, 'store/customer/created'], NOWHERE);
    await deleteWebhook(ctx, { scopes: [created] });
    const explained = await explain(created, id);
    expect(Math.abs(explained.causedAt! - Date.now())).toBeLessThan(5_000);
    expect(explained).toMatchObject({ code: 'NOT_REGISTERED', webhookId: null, webhookStatus: null, endpoint: null });
    expect(explained.message).toBe(
      `The app's webhook for ${created} was deleted at ${at(explained.causedAt)}, so nothing is sent. ` +
        `It is registered for ${deleted} and ${updated}.`,
    );
  });

  it('says that a row written with only another time is unchanged', async () => {
    const id = await createProduct(ctx, 'plain SQL');
    await save(ctx, [updated], NOWHERE);
    await db().execute(sql`
      update product set updated_at = now() + interval '1 second' where merchant_id = ${ctx.merchantId} and id = ${id}`);
    const explained = await explain(updated, id);
    expect(explained).toMatchObject({ code: 'UNCHANGED', deliveryId: null });
    expect(explained.message).toContain('No change has been recorded since');
  });

  it('says that the delivery was removed', async () => {
    await save(ctx, [created], NOWHERE);
    const id = await createProduct(ctx, 'GraphQL');
    await db().execute(sql`delete from webhook_delivery where merchant_id = ${ctx.merchantId}`);
    expect(await explain(created, id)).toMatchObject({ code: 'REMOVED' });
  });

  it('says that the delivery was removed, also of a webhook with sales channels', async () => {
    const channelId = newId();
    await db().execute(sql`
      insert into sales_channel (merchant_id, id, name, type) values (${ctx.merchantId}, ${channelId}, 'In', 'STOREFRONT')`);
    const scopes = [created, 'store/customer/created'];
    await saveWebhook(ctx, { input: { endpoint: NOWHERE, scopes, salesChannelIds: [channelId] } }, { id: {} });
    const productId = await createProduct(ctx, 'GraphQL', [channelId]);
    const customer = await saveCustomer(ctx, { input: { firstName: 'Ada' } }, { id: {} });
    await saveCustomer(ctx, { input: { id: customer.id, firstName: 'Grace' } }, { id: {} });
    await db().execute(sql`delete from webhook_delivery where merchant_id = ${ctx.merchantId}`);
    expect(await explain(created, productId)).toMatchObject({ code: 'REMOVED' });
    expect(await explain('store/customer/created', customer.id)).toMatchObject({ code: 'REMOVED' });
  });
});

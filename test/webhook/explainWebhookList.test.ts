import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppScope } from '../../src/app-scope.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { deleteWebhook } from '../../src/webhook/deleteWebhook.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type CallOperation, startOperations } from '../support/operation.ts';
import { createOtherApp, save } from './deliveries.ts';
import { createProduct } from './product-writes.ts';

const created = 'store/product/created';
const updated = 'store/product/updated';

type Explanation = { code: string; message: string; appName: string; authorizedAppId: string; causedAt: number | null };
type Page = { count: number; hasNext: boolean; endCursor: string | null; data: Explanation[] };

let database: TestDatabase;
let api: { call: CallOperation; stop(): Promise<void> };
let ctx: Context;
let recordId: string;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  ctx = await createContext(database.db);
  recordId = await createProduct(ctx, 'GraphQL');
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function list(variables: object, as = ctx): Promise<Page> {
  const { data, errors } = await api.call(as, 'explainWebhookList', { scope: created, recordId, ...variables });
  expect(errors).toBeUndefined();
  return data!['explainWebhookList'] as Page;
}

/** Another app that may read products, with webhooks of the scopes. */
async function app(name: string, scopes: string[], granted = '{read_products}'): Promise<Context> {
  const other = await createOtherApp(ctx);
  await database.db.execute(sql`
    update authorized_app set name = ${name}, scopes = ${granted}::text[]
    where merchant_id = ${ctx.merchantId} and id = ${other.session.authorizedAppId}`);
  if (scopes.length > 0) await save(other, scopes);
  return other;
}

describe('explainWebhookList', () => {
  it('explains for each app that could have got the event, those with a webhook of the scope first', async () => {
    await app('No webhook', []);
    await app('Other scope', [updated]);
    const former = await app('Deleted', [created]);
    await deleteWebhook(former, { scopes: [created] });
    await app('Registered', [created]);
    await app('Customers only', [], '{read_customers}');
    const writer = await app('Revoked', [created], '{write_products}');
    await database.db.execute(sql`
      update authorized_app set revoked_at = now()
      where merchant_id = ${ctx.merchantId} and id = ${writer.session.authorizedAppId}`);
    const { count, hasNext, data } = await list({});
    expect({ count, hasNext }).toEqual({ count: 6, hasNext: false });
    expect(data.map(({ appName, code }) => [appName, code])).toEqual([
      ['Registered', 'REGISTERED_LATER'],
      ['Revoked', 'REGISTERED_LATER'],
      ['Deleted', 'NOT_REGISTERED'],
      ['Other scope', 'NOT_REGISTERED'],
      ['Test', 'NOT_REGISTERED'],
      ['No webhook', 'NOT_REGISTERED'],
    ]);
    const messages = new Map(data.map(({ appName, message }) => [appName, message]));
    expect(messages.get('Deleted')).toMatch(/was deleted at \d{4}-\S+Z, so nothing is sent\.$/);
    expect(messages.get('Other scope')).toContain(`It is registered for ${updated}.`);
  });

  it('is read page by page, by number and by cursor', async () => {
    const { data: all } = await list({});
    const ids = all.map(({ authorizedAppId }) => authorizedAppId);
    const first = await list({ pagination: { limit: 4 } });
    expect(first).toMatchObject({ count: 6, hasNext: true });
    const second = await list({ pagination: { limit: 4, page: 2 } });
    const after = await list({ pagination: { limit: 4, after: first.endCursor } });
    for (const rest of [second, after]) {
      expect(rest).toMatchObject({ count: 6, hasNext: false });
      expect([...first.data, ...rest.data].map(({ authorizedAppId }) => authorizedAppId)).toEqual(ids);
    }
    expect(await list({ pagination: { page: 9 } })).toMatchObject({ data: [], hasNext: false, endCursor: null });
    const [one] = ids;
    expect((await list({ authorizedAppId: { eq: one } })).data.map(({ authorizedAppId }) => authorizedAppId)).toEqual([
      one,
    ]);
  });

  it('lists only the calling app without read_webhooks, and no app of another merchant', async () => {
    const scopes = new Set<AppScope>(['read_products']);
    const { count, data } = await list({}, { ...ctx, session: { ...ctx.session, scopes } });
    expect(count).toBe(1);
    expect(data.map(({ authorizedAppId }) => authorizedAppId)).toEqual([ctx.session.authorizedAppId]);
    const foreign = await createContext(database.db);
    const { errors } = await api.call(foreign, 'explainWebhookList', { scope: created, recordId });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', type: 'Product' } }]);
  });

  it('refuses unknown scopes and records, a missing scope, and pages outside the range', async () => {
    const refused = async (variables: object, as = ctx) =>
      (await api.call(as, 'explainWebhookList', { scope: created, recordId, ...variables })).errors?.[0]?.extensions;
    expect(await refused({ scope: 'store/order/created' })).toMatchObject({ code: 'INVALID_SCOPE' });
    for (const unknown of [newId(), 'no id', '\ufffd'])
      expect(await refused({ recordId: unknown })).toMatchObject({ code: 'NOT_FOUND', ids: [unknown] });
    for (const pagination of [{ limit: 201 }, { page: 0 }, { after: 'nonsense' }])
      expect(await refused({ pagination })).toMatchObject({ code: 'ARGUMENT_VALIDATION_ERROR' });
    const blind = { ...ctx, session: { ...ctx.session, scopes: new Set<AppScope>(['read_webhooks']) } };
    expect(await refused({}, blind)).toMatchObject({ code: 'UNAUTHORIZED', requiredScope: 'read_products' });
  });

  it('explains a record of which only deliveries are left', async () => {
    await save(ctx, ['store/product/deleted']);
    const gone = await createProduct(ctx, 'plain SQL');
    await database.db.execute(sql`delete from product where merchant_id = ${ctx.merchantId} and id = ${gone}`);
    const { data } = await list({ scope: 'store/product/deleted', recordId: gone });
    expect(data[0]).toMatchObject({ code: 'WAITING', authorizedAppId: ctx.session.authorizedAppId });
    // The rest of a page is found too, though its apps have no delivery.
    expect(
      (await list({ scope: 'store/product/deleted', recordId: gone, pagination: { limit: 2, page: 2 } })).data,
    ).toHaveLength(2);
  });

  it('refuses a record of another kind like an unknown one, as explainWebhook does', async () => {
    await save(ctx, [created, 'store/product/deleted', 'store/customer/created', 'store/stock/updated']);
    const id = await createProduct(ctx, 'plain SQL');
    const refusals = async (scope: string) => {
      const answers = ['explainWebhook', 'explainWebhookList'].map(async (name) => {
        const { errors } = await api.call(ctx, name, { scope, recordId: id });
        return errors?.[0]?.extensions;
      });
      return await Promise.all(answers);
    };
    const others = [
      ['store/customer/created', 'Customer'],
      ['store/stock/updated', 'ProductStockLocation'],
      ['store/stock/held', 'StockHold'],
    ] as const;
    for (const state of ['stored', 'removed']) {
      if (state === 'removed')
        await database.db.execute(sql`delete from product where merchant_id = ${ctx.merchantId} and id = ${id}`);
      for (const [scope, type] of others)
        expect(await refusals(scope), `${state} ${scope}`).toMatchObject(
          [1, 2].map(() => ({ code: 'NOT_FOUND', type, ids: [id] })),
        );
      expect(await refusals(created)).toEqual([undefined, undefined]);
    }
  });
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webhookScopes } from '../../drizzle/webhook.ts';
import type { AppScope } from '../../src/app-scope.ts';
import type { Context } from '../../src/context.ts';
import { saveCustomer } from '../../src/customer/saveCustomer.ts';
import { newId } from '../../src/db/sql/id.ts';
import { openOutbound } from '../../src/outbound/outbound.ts';
import { deleteWebhook } from '../../src/webhook/deleteWebhook.ts';
import { listWebhook } from '../../src/webhook/listWebhook.ts';
import { saveWebhook } from '../../src/webhook/saveWebhook.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { allFields } from '../support/selection.ts';
import { waitForLocks } from '../support/wait-for-locks.ts';
import { createOtherApp, deliveriesOf, endpoint, save } from './deliveries.ts';

const all = allFields('Webhook');

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

const listed = async (of: Context) => (await listWebhook(of, {}, all)).map(({ scope }) => scope).sort();

/** Saves webhooks in this order, and returns their ids. */
async function saveEach(of: Context, scopes: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const scope of scopes) ids.push((await saveWebhook(of, { input: { endpoint, scopes: [scope] } }, all))[0]!.id);
  return ids;
}

describe('saveWebhook', () => {
  // docs/reliability-tests.md: 84
  it('returns one webhook for each scope, in the given order and without duplicates', async () => {
    const own = await createContext(database.db);
    const scopes = ['store/stock/updated', 'store/customer/created', 'store/stock/updated'];
    const saved = await saveWebhook(own, { input: { endpoint, scopes } }, all);
    expect(saved).toMatchObject([
      { scope: 'store/stock/updated', endpoint, status: 'ACTIVE', pausedAt: null, deleted: false },
      { scope: 'store/customer/created', endpoint },
    ]);
    expect(Math.abs((saved[0]!.createdAt as number) - Date.now())).toBeLessThan(60_000);
  });

  it('accepts every scope', async () => {
    const own = await createContext(database.db);
    await saveWebhook(own, { input: { endpoint, scopes: [...webhookScopes] } }, all);
    expect(await listed(own)).toEqual([...webhookScopes].sort());
  });

  it('changes the endpoint of a scope that has one, and keeps its id', async () => {
    const own = await createContext(database.db);
    const [first] = await saveWebhook(own, { input: { endpoint, scopes: ['store/product/created'] } }, all);
    const again = await saveWebhook(
      own,
      { input: { endpoint: `${endpoint}/2`, scopes: ['store/product/deleted', 'store/product/created'] } },
      all,
    );
    expect(again[1]).toMatchObject({ id: first!.id, createdAt: first!.createdAt, endpoint: `${endpoint}/2` });
    expect(await listed(own)).toEqual(['store/product/created', 'store/product/deleted']);
  });

  it('changes updatedAt with the endpoint, but not if nothing changes', async () => {
    const own = await createContext(database.db);
    const input = { endpoint, scopes: ['store/product/created'] };
    const first = await saveWebhook(own, { input }, all);
    expect(await saveWebhook(own, { input }, all)).toEqual(first);
    const [moved] = await saveWebhook(own, { input: { ...input, endpoint: `${endpoint}/2` } }, all);
    expect(moved!.updatedAt).toBeGreaterThan(first[0]!.updatedAt!);
  });

  // docs/reliability-tests.md: 57
  it('creates one webhook if two requests save the same scopes at once', async () => {
    const own = await createContext(database.db);
    const scopes = ['store/product/updated', 'store/customer/updated'];
    const saves = [scopes, scopes.toReversed(), scopes, scopes.toReversed()].map((scopes) =>
      saveWebhook(own, { input: { endpoint, scopes } }, all),
    );
    const ids = (await Promise.all(saves)).flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });

  it('locks webhooks in the order of their ids, as settlements of deliveries do', async () => {
    const own = await createContext(database.db);
    const scopes = ['store/product/updated', 'store/customer/updated'];
    const [first, second] = await saveEach(own, scopes);
    const lockOf = (id: string) => sql`
      select from webhook where merchant_id = ${own.merchantId} and id = ${id} for update nowait`;
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const gate = database.db.transaction(async (transaction) => {
      await transaction.execute(lockOf(first!));
      close();
      await opened;
    });
    await closed;
    const saved = saveWebhook(own, { input: { endpoint, scopes } }, all);
    await waitForLocks(database.db, 1);
    const [locked] = await Promise.allSettled([database.db.execute(lockOf(second!))]);
    open();
    await Promise.all([gate, saved]);
    expect(locked).toMatchObject({ status: 'fulfilled' });
  });

  it('resumes a webhook that was paused', async () => {
    const own = await createContext(database.db);
    const input = { endpoint, scopes: ['store/customer/created'] };
    await saveWebhook(own, { input }, all);
    await database.db.execute(
      sql`update webhook set status = 'PAUSED', paused_at = now(), given_up_in_a_row = 20 where merchant_id = ${own.merchantId}`,
    );
    expect(await listWebhook(own, {}, all)).toMatchObject([{ status: 'PAUSED', pausedAt: expect.any(Number) }]);
    expect(await saveWebhook(own, { input }, all)).toMatchObject([{ status: 'ACTIVE', pausedAt: null }]);
    const rows = await database.db.execute(
      sql`select given_up_in_a_row from webhook where merchant_id = ${own.merchantId}`,
    );
    expect([...rows]).toEqual([{ given_up_in_a_row: 0 }]);
  });

  it('keeps sales channels that are left out, clears them with null, and names an unknown one', async () => {
    const own = await createContext(database.db);
    const channel = newId();
    await database.db.execute(
      sql`insert into sales_channel (merchant_id, id, name, type) values (${own.merchantId}, ${channel}, 'Shop', 'STOREFRONT')`,
    );
    const scopes = ['store/product/updated'];
    const stored = async (salesChannelIds?: string[] | null) => {
      await saveWebhook(
        own,
        { input: { endpoint, scopes, ...(salesChannelIds !== undefined && { salesChannelIds }) } },
        all,
      );
      const [row] = await database.db.execute<{ ids: string[] }>(
        sql`select to_json(sales_channel_ids) as ids from webhook where merchant_id = ${own.merchantId}`,
      );
      return row!.ids;
    };
    expect(await stored()).toEqual([]);
    expect(await stored([channel, channel])).toEqual([channel]);
    expect(await stored()).toEqual([channel]);
    await database.db.execute(sql`update sales_channel set deleted = true where merchant_id = ${own.merchantId}`);
    expect(await stored([channel])).toEqual([channel]);
    expect(await stored(null)).toEqual([]);
    for (const unknown of [channel, newId(), 'no id']) {
      await expect(stored([unknown])).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'SalesChannel', ids: [unknown], path: ['input', 'salesChannelIds', 0] },
      });
    }
  });

  // docs/reliability-tests.md: 84
  it('refuses an unknown scope, names the valid ones, and saves nothing', async () => {
    const own = await createContext(database.db);
    for (const unknown of [
      'store/order/created',
      'store/customer/deleted',
      'STORE/CUSTOMER/CREATED',
      '',
      'constructor',
    ]) {
      await expect(
        saveWebhook(own, { input: { endpoint, scopes: ['store/customer/created', unknown] } }, all),
      ).rejects.toMatchObject({
        code: 'INVALID_SCOPE',
        message: expect.stringContaining('store/stock/updated'),
        extensions: { scopes: [unknown], allowed: webhookScopes },
      });
    }
    expect(await listed(own)).toEqual([]);
  });

  it.each([
    ['store/customer/created', 'read_customers', 'write_products'],
    ['store/product/deleted', 'read_products', 'write_customers'],
    ['store/stock/updated', 'read_inventories', 'read_products'],
  ] as const)('needs for %s the scope %s', async (scope, needed, other) => {
    const without = await createContext(database.db, [other]);
    await expect(saveWebhook(without, { input: { endpoint, scopes: [scope] } }, all)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      extensions: { requiredScope: needed },
    });
    expect(await listed(without)).toEqual([]);
    for (const enough of [needed, needed.replace('read_', 'write_') as AppScope]) {
      expect(await save(await createContext(database.db, [enough]), [scope])).toHaveLength(1);
    }
  });

  it.each([
    'http://receiver.example/',
    'receiver.example',
    '/hook',
    '',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest',
    'https://localhost/',
    'https://user:secret@receiver.example/',
    'https://receiver.example/#a',
    'https://receiver.example:5432/',
    'ftp://receiver.example/',
    `https://receiver.example/${'a'.repeat(2_048)}`,
  ])('refuses the endpoint %j', async (wrong) => {
    await expect(
      saveWebhook(ctx, { input: { endpoint: wrong, scopes: ['store/stock/created'] } }, all),
    ).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['input', 'endpoint'] }] },
    });
    expect(await listed(ctx)).toEqual([]);
  });

  it('refuses an endpoint whose name has a private address among public ones', async () => {
    const outbound = openOutbound({ allowHttp: false, allowPrivate: false }, async () => ['93.184.215.14', '10.0.0.1']);
    const own = { ...ctx, webhook: { ...ctx.webhook, outbound } };
    await expect(save(own, ['store/stock/created'])).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['input', 'endpoint'] }] },
    });
  });

  // docs/reliability-tests.md: 84
  it.each([
    ['empty', []],
    ['too long', Array<string>(101).fill('store/stock/created')],
  ])('names the list of scopes if it is %s', async (_, scopes) => {
    await expect(save(ctx, scopes)).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['input', 'scopes'] }] },
    });
  });
});

describe('the webhooks of another app', () => {
  it('are neither listed, changed nor deleted', async () => {
    const one = await createContext(database.db);
    const sibling = await createOtherApp(one);
    const stranger = await createContext(database.db);
    const [mine] = await save(one, ['store/customer/created']);
    for (const other of [sibling, stranger]) {
      const [theirs] = await saveWebhook(
        other,
        { input: { endpoint: 'https://other.example/', scopes: ['store/customer/created'] } },
        all,
      );
      expect(theirs!.id).not.toBe(mine!.id);
      expect(await listWebhook(other, {}, all)).toEqual([theirs]);
      expect(await deleteWebhook(other, { scopes: ['store/customer/created'] })).toBe(true);
      expect(await listWebhook(one, {}, all)).toEqual([mine]);
    }
  });
});

describe('deleteWebhook', () => {
  it('removes the given scopes, and is true also for one without a webhook', async () => {
    const own = await createContext(database.db);
    await save(own, ['store/customer/created', 'store/product/created']);
    expect(await deleteWebhook(own, { scopes: ['store/customer/created', 'store/stock/created'] })).toBe(true);
    expect(await listed(own)).toEqual(['store/product/created']);
    expect(await deleteWebhook(own, { scopes: ['store/customer/created'] })).toBe(true);
    expect(await deleteWebhook(own, { scopes: [] })).toBe(true);
  });

  it('refuses an unknown event scope before it removes anything', async () => {
    const own = await createContext(database.db);
    await save(own, ['store/customer/created']);
    await expect(deleteWebhook(own, { scopes: ['store/customer/created', 'store/order/paid'] })).rejects.toMatchObject({
      code: 'INVALID_SCOPE',
      extensions: { scopes: ['store/order/paid'] },
    });
    expect(await listed(own)).toEqual(['store/customer/created']);
  });

  it('needs no scope of the token', async () => {
    const own = await createContext(database.db);
    await save(own, ['store/customer/created']);
    const without = { ...own, session: { ...own.session, scopes: new Set([]) } };
    expect(await deleteWebhook(without, { scopes: ['store/customer/created'] })).toBe(true);
    expect(await listed(own)).toEqual([]);
  });

  it('ends only the events of its scope', async () => {
    const own = await createContext(database.db);
    await save(own, ['store/customer/created', 'store/customer/updated']);
    expect(await deleteWebhook(own, { scopes: ['store/customer/created'] })).toBe(true);
    const { id } = await saveCustomer(own, { input: { firstName: 'Ada' } }, { id: {} });
    await saveCustomer(own, { input: { id, firstName: 'Grace' } }, { id: {} });
    expect(await deliveriesOf(own)).toMatchObject([{ scope: 'store/customer/updated', state: 'PENDING' }]);
  });
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { webhookScopes } from '../../drizzle/webhook.ts';
import { type AppScope, appScopes } from '../../src/app-scope.ts';
import type { Context } from '../../src/context.ts';
import { deleteCustomerList } from '../../src/customer/deleteCustomerList.ts';
import { eraseCustomerList } from '../../src/customer/eraseCustomerList.ts';
import { saveCustomer } from '../../src/customer/saveCustomer.ts';
import { inTransaction } from '../../src/db/connection/transaction.ts';
import { newId } from '../../src/db/sql/id.ts';
import { keepHistory } from '../../src/merchant/keep-history.ts';
import { deleteProductList } from '../../src/product/deleteProductList.ts';
import { adjustStock } from '../../src/stock/adjustStock.ts';
import { commitHold } from '../../src/stock/commitHold.ts';
import { holdStock } from '../../src/stock/holdStock.ts';
import { saveProductStockLocations } from '../../src/stock/saveProductStockLocations.ts';
import { claimDeliveries } from '../../src/webhook/ledger/claim-deliveries.ts';
import { envelope, signedEnvelope } from '../../src/webhook/sending/envelope.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type CallOperation, startOperations } from '../support/operation.ts';
import { places } from '../stock/places.ts';
import { actionsOf, eventsOf, register } from './ledger.ts';
import { createProduct, updateProduct, WAYS } from './product-writes.ts';

const HOUR_MS = 3_600_000;
const SECRET = 'secret';
const LISTED = webhookScopes.filter((scope) => scope !== 'store/stock/released');

type Event = { id: string; scope: string; recordId: string; createdAt: number; body: string };
type Body = Record<string, unknown>;

let database: TestDatabase;
let api: { call: CallOperation; stop(): Promise<void> };
let ctx: Context;
let from: number;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});
beforeEach(async () => {
  from = Date.now();
  ctx = await createContext(database.db);
});

async function page(as: Context, args: object = {}) {
  const { data, errors } = await api.call(as, 'listWebhookEvent', { scopes: LISTED, from, ...args });
  const found = data?.['listWebhookEvent'] as { data: Event[]; hasNext: boolean; endCursor: string | null };
  return { ...found, errors: errors as { extensions: { code: string; issues?: { path: string[] }[] } }[] | undefined };
}

async function listed(args: object = {}): Promise<Event[]> {
  const { data, errors } = await page(ctx, args);
  expect(errors).toBeUndefined();
  return data;
}

/** What a push and an event must have in common. The number and the id of a push count only pushes. */
function comparable(bodies: Body[]): Body[] {
  const known = bodies.map((body) => ({ ...body, id: '', createdAt: '', sequence: 0 }));
  return known.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
}

/** The bodies of the pushes that were queued during the work, and those of the events that are listed after it. */
async function bodiesOf(work: () => Promise<unknown>): Promise<{ pushed: Body[]; events: Body[] }> {
  const [queued, known] = [await eventsOf(ctx), await listed()];
  await work();
  const ids = (await eventsOf(ctx)).map(({ id }) => id).filter((id) => !queued.some((one) => one.id === id));
  const claimed = await claimDeliveries(ctx, ids);
  const pushed = claimed.map((delivery) => {
    const sent = { ...delivery, merchantId: ctx.merchantId, createdAt: new Date(delivery.createdAt) };
    return JSON.parse(envelope(sent, SECRET)) as Body;
  });
  const added = (await listed()).filter(({ id }) => !known.some((one) => one.id === id));
  const events = added.map(({ body }) => JSON.parse(signedEnvelope(JSON.parse(body), SECRET)) as Body);
  return { pushed, events };
}

/** Compares them, and returns their number. */
async function compared(work: () => Promise<unknown>): Promise<number> {
  const { pushed, events } = await bodiesOf(work);
  expect(comparable(events)).toEqual(comparable(pushed));
  for (const [index, { id, createdAt }] of events.entries()) {
    expect(Object.keys(events[index]!).slice(0, 3)).toEqual(['id', 'createdAt', 'scope']);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(Math.abs(Date.parse(createdAt as string) - Date.now())).toBeLessThan(60_000);
  }
  return pushed.length;
}

describe('the bodies are those of pushes', () => {
  beforeEach(() => register(ctx, LISTED));

  it.each(WAYS)('of products that are written by %s', async (way) => {
    let id = '';
    expect(await compared(async () => (id = await createProduct(ctx, way)))).toBe(1);
    expect(await compared(() => updateProduct(ctx, way, id, 'Renamed "Ü"\n'))).toBe(1);
    expect(await compared(() => updateProduct(ctx, way, id, 'Renamed "Ü"\n'))).toBe(0);
    expect(await compared(() => deleteProductList(ctx, { idList: [id] }))).toBe(1);
    expect(
      await compared(() =>
        ctx.db.execute(sql`update product set deleted = false where merchant_id = ${ctx.merchantId}`),
      ),
    ).toBe(1);
  });

  it('of a product with more than 1 MiB', async () => {
    const id = await createProduct(ctx, 'GraphQL');
    const write = sql`update product set description = repeat('ä', 600000) where merchant_id = ${ctx.merchantId} and id = ${id}`;
    const { events } = await bodiesOf(() => ctx.db.execute(write));
    expect(events).toMatchObject([{ scope: 'store/product/updated', truncated: ['description'] }]);
  });

  it('of customers, also of erased ones', async () => {
    let id = '';
    const save = (input: { id?: string; note?: string; email?: string }) =>
      saveCustomer(ctx, { input: { firstName: 'Ada', ...input } }, { id: {} });
    expect(await compared(async () => ({ id } = await save({ email: 'ada@example.com' })))).toBe(1);
    expect(await compared(() => save({ id, note: 'calls back' }))).toBe(1);
    expect(await compared(() => deleteCustomerList(ctx, { idList: [id] }))).toBe(1);
    expect(await compared(() => eraseCustomerList(ctx, { idList: [id] }, { id: {} }))).toBe(1);
    const all = await listed();
    expect(all.map(({ scope }) => scope)).toEqual([
      'store/customer/created',
      'store/customer/updated',
      'store/customer/updated',
      'store/customer/erased',
    ]);
    const datas = all.map(({ body }) => JSON.parse(body) as Body);
    expect(datas.slice(0, 3)).toMatchObject(Array(3).fill({ data: JSON.stringify({ id }), truncated: ['*'] }));
    expect(JSON.stringify(datas)).not.toMatch(/Ada|calls back/);
    const updates = await listed({ scopes: ['store/customer/updated'] });
    expect(updates.at(-1)).toMatchObject({ id: all.at(-1)!.id, scope: 'store/customer/updated' });
  });

  it('of stock counts and holds, with what was added, why and for what', async () => {
    const [place] = await places(ctx, 1);
    const adjust = (own: Context, ...entries: object[]) =>
      adjustStock(own, { input: entries.map((entry) => ({ ...place, key: newId(), ...entry })) } as never, { id: {} });
    const count = (stockCount: number) =>
      saveProductStockLocations(ctx, { input: { productStockLocationInputs: [{ ...place!, stockCount }] } });
    expect(await compared(() => count(10))).toBe(1);
    expect(await compared(() => count(12))).toBe(1);
    expect(await compared(() => adjust(ctx, { delta: -1.5, reason: 'broken', reference: 'order 7' }))).toBe(1);
    expect(await compared(() => adjust(ctx, { delta: 1, reason: 'a' }, { delta: 1, reason: 'b' }))).toBe(1);
    expect(
      await compared(() =>
        inTransaction(ctx, async (ctx) => {
          await adjust(ctx, { delta: 2, reason: 'same' });
          await adjust(ctx, { delta: 0.25, reason: 'same' });
        }),
      ),
    ).toBe(1);
    const hold = { ...place, quantity: 1, key: 'cart', reference: 'cart 1', expiresAt: Date.now() + HOUR_MS };
    let id = '';
    expect(
      await compared(async () => (id = (await holdStock(ctx, { input: [hold] } as never, { id: {} }))[0]!.id)),
    ).toBe(1);
    expect(await compared(() => commitHold(ctx, { idList: [id] }))).toBe(1);
    const remove = sql`update product_stock_location set deleted = true where merchant_id = ${ctx.merchantId}`;
    expect(await compared(() => ctx.db.execute(remove))).toBe(1);
  });
});

describe('listWebhookEvent', () => {
  it('needs no webhook, and leaves neither a webhook nor a delivery', async () => {
    await createProduct(ctx, 'GraphQL');
    expect((await listed()).map(({ scope }) => scope)).toEqual(['store/product/created']);
    expect(await actionsOf(ctx)).toEqual([]);
    const { data } = await api.call(ctx, 'listWebhook', {});
    expect(data!['listWebhook']).toEqual([]);
  });

  it('lists the asked scopes of the own merchant since the time, page by page in order, with lasting ids', async () => {
    const stranger = await createContext(database.db);
    await createProduct(stranger, 'GraphQL');
    const ids: string[] = [];
    for (let made = 0; made < 5; made++) ids.push(await createProduct(ctx, 'GraphQL'));
    await saveCustomer(ctx, { input: { firstName: 'Ada' } }, { id: {} });
    const scopes = ['store/product/created', 'store/product/created'];
    const first = await page(ctx, { scopes, limit: 3 });
    const second = await page(ctx, { scopes, limit: 3, after: first.endCursor });
    const all = [...first.data, ...second.data];
    expect([first.data.length, first.hasNext, second.hasNext]).toEqual([3, true, false]);
    expect(all.map(({ recordId }) => recordId)).toEqual(ids);
    expect(all).toEqual(await listed({ scopes }));
    expect(await listed({ scopes, from: all[3]!.createdAt })).toEqual(
      all.filter(({ createdAt }) => createdAt >= all[3]!.createdAt),
    );
    const last = await page(ctx, { scopes, after: second.endCursor });
    expect(last).toMatchObject({ data: [], hasNext: false, endCursor: null });
    expect((await page(stranger)).data).toHaveLength(1);
  });

  it('lists no event of a product that plain SQL has removed, not even the removal that is pushed', async () => {
    await register(ctx, LISTED);
    const id = await createProduct(ctx, 'GraphQL');
    await ctx.db.execute(sql`delete from product where merchant_id = ${ctx.merchantId} and id = ${id}`);
    expect(await actionsOf(ctx)).toEqual(['created 1', 'deleted 2']);
    expect(await listed()).toEqual([]);
  });

  it('ends a page of large records early', async () => {
    for (let made = 0; made < 25; made++) await createProduct(ctx, 'GraphQL');
    await ctx.db.execute(
      sql`update product set description = repeat('x', 300000) where merchant_id = ${ctx.merchantId}`,
    );
    const scopes = ['store/product/updated'];
    const first = await page(ctx, { scopes });
    expect([first.data.length, first.hasNext]).toEqual([10, true]);
    const others = await listed({ scopes, after: first.endCursor, limit: 10 });
    expect(new Set([...first.data, ...others].map(({ id }) => id)).size).toBe(20);
  });

  it.each([
    ['read_products', 'store/product/created'],
    ['read_customers', 'store/customer/created'],
    ['read_inventories', 'store/stock/created'],
  ] as [AppScope, string][])('needs %s for %s', async (needed, scope) => {
    const others = appScopes.filter((one) => one.split('_')[1] !== needed.split('_')[1]);
    const { errors } = await page(await createContext(database.db, others), { scopes: [scope] });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHORIZED', requiredScope: needed } }]);
    expect(await page(await createContext(database.db, [needed]), { scopes: [scope] })).toMatchObject({ data: [] });
  });

  it.each([
    [{ scopes: ['store/product/renamed'] }, 'INVALID_SCOPE'],
    [{ scopes: ['store/stock/released'] }, 'INVALID_SCOPE'],
    [{ scopes: [] }, 'ARGUMENT_VALIDATION_ERROR'],
    [{ scopes: Array(101).fill('store/product/created') }, 'ARGUMENT_VALIDATION_ERROR'],
    [{ limit: 0 }, 'ARGUMENT_VALIDATION_ERROR'],
    [{ limit: 201 }, 'ARGUMENT_VALIDATION_ERROR'],
    [{ after: "x'" }, 'ARGUMENT_VALIDATION_ERROR'],
    [{ from: Date.now() - HOUR_MS - 60_000 }, 'ARGUMENT_VALIDATION_ERROR'],
  ])('refuses %j', async (args, code) => {
    expect((await page(ctx, args)).errors).toMatchObject([{ extensions: { code } }]);
  });

  it('lists nothing of the future, however far', async () => {
    await createProduct(ctx, 'GraphQL');
    for (const future of [Date.now() + HOUR_MS, 253_402_300_799_999])
      expect(await listed({ from: future })).toEqual([]);
  });

  it('refuses a merchant without a history', async () => {
    await keepHistory(ctx, false);
    expect((await page(ctx)).errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
  });
});

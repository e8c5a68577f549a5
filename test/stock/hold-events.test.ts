import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { inTransaction } from '../../src/db/connection/transaction.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { StockHold } from '../../src/graphql/generated/types.ts';
import { adjustStock } from '../../src/stock/adjustStock.ts';
import { commitHold } from '../../src/stock/commitHold.ts';
import { extendHold } from '../../src/stock/extendHold.ts';
import { expireHolds } from '../../src/stock/hold/expire-holds.ts';
import { holdStock } from '../../src/stock/holdStock.ts';
import { listStockHold } from '../../src/stock/listStockHold.ts';
import { releaseHold } from '../../src/stock/releaseHold.ts';
import { saveProductStockLocations } from '../../src/stock/saveProductStockLocations.ts';
import { explainWebhook } from '../../src/webhook/explainWebhook.ts';
import { claimDeliveries } from '../../src/webhook/ledger/claim-deliveries.ts';
import { envelope } from '../../src/webhook/sending/envelope.ts';
import { signData } from '../../src/webhook/sending/signature.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { createOtherApp } from '../webhook/deliveries.ts';
import { everythingOf, eventsOf, forget, register } from '../webhook/ledger.ts';
import { type Place, places } from './places.ts';

const HOUR_MS = 3_600_000;
const HELD = 'store/stock/held';
const RELEASED = 'store/stock/released';
const UPDATED = 'store/stock/updated';
const hold = everythingOf('StockHold');

let database: TestDatabase;
let ctx: Context;
let place: Place;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
  place = (await places(ctx, 1))[0]!;
  await save(10);
});

describe('the events of a hold', () => {
  it.each([
    ['RELEASED', (id: string) => releaseHold(ctx, { idList: [id] })],
    ['COMMITTED', (id: string) => commitHold(ctx, { idList: [id] })],
    ['EXPIRED', (id: string) => expire(id)],
  ] as const)('are one when it is placed, and one with the reason %s', async (reason, end) => {
    await register(ctx, [HELD, RELEASED]);
    const [made] = await held('a');
    await extendHold(ctx, { idList: [made!.id], expiresAt: Date.now() + 2 * HOUR_MS });
    await end(made!.id);
    if (reason !== 'EXPIRED') await end(made!.id);
    expect(await expireHolds({ ...ctx, across: database.across })).toBe(0);
    const [ended] = await stored();
    const events = await eventsOf(ctx);
    expect(events.map(({ scope, sequence, recordId }) => [scope, sequence, recordId])).toEqual([
      [HELD, 1, made!.id],
      [RELEASED, 2, made!.id],
    ]);
    expect(events.map(({ data }) => data)).toEqual([made, ended]);
    expect(ended!.status).toBe(reason);
    const [first, last] = await bodies();
    expect(Object.keys(first!).slice(-3)).toEqual(['sequence', 'data', 'signature']);
    expect(Object.keys(last!).slice(-4)).toEqual(['sequence', 'data', 'reason', 'signature']);
    expect(last).toMatchObject({ reason, signature: signData(last!.data as string, 'secret') });
  });

  it('are one for each hold of a statement, in the state of each', async () => {
    await register(ctx, [HELD, RELEASED]);
    const ids = (await held('a', 'b', 'c')).map(({ id }) => id);
    await releaseHold(ctx, { idList: ids.slice(0, 1) });
    await commitHold(ctx, { idList: ids.slice(1) });
    const sent = (await bodies()).map(({ scope, sequence, reason, data }) => [keyOf(data), sequence, scope, reason]);
    expect(sent.toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual([
      ['a', 1, HELD, undefined],
      ['a', 2, RELEASED, 'RELEASED'],
      ['b', 1, HELD, undefined],
      ['b', 2, RELEASED, 'COMMITTED'],
      ['c', 1, HELD, undefined],
      ['c', 2, RELEASED, 'COMMITTED'],
    ]);
  });

  it('are one for each expired hold, also if several sweeps and requests end it at once', async () => {
    await register(ctx, [RELEASED]);
    await save(60);
    const ids = (await held(...Array.from({ length: 60 }, (_, n) => `${n}`))).map(({ id }) => id);
    await ctx.db.execute(sql`
      update stock_hold set expires_at = ${new Date(Date.now() + 30).toISOString()}
      where merchant_id = ${ctx.merchantId}`);
    const until = Date.now() + 500;
    const sweep = () => expireHolds({ ...ctx, across: database.across });
    const sweeps = async () => {
      let ended = 0;
      while (Date.now() < until) ended += await sweep();
      return ended;
    };
    const [releases, ...expired] = await Promise.all([
      Promise.allSettled(ids.map((id) => releaseHold(ctx, { idList: [id] }))),
      sweeps(),
      sweeps(),
      sweeps(),
    ]);
    expect(releases.filter(({ status }) => status === 'rejected')).toEqual([]);
    const expiredCount = (await sweep()) + expired.reduce((sum, n) => sum + n, 0);
    expect((await eventsOf(ctx)).map(({ recordId, sequence }) => `${recordId} ${sequence}`).toSorted()).toEqual(
      ids.map((id) => `${id} 1`).toSorted(),
    );
    const reasons = (await bodies())
      .map(({ reason }) => String(reason))
      .toSorted((one, other) => one.localeCompare(other));
    expect(reasons).toEqual(reasons.map((_, n) => (n < expiredCount ? 'EXPIRED' : 'RELEASED')));
  });

  it('do not include changes, which are not recorded for holds', async () => {
    await register(ctx, [HELD, RELEASED]);
    await ctx.db.execute(sql`update webhook set include_changes = true where merchant_id = ${ctx.merchantId}`);
    await releaseHold(ctx, { idList: [(await held('a'))[0]!.id] });
    const none = { changedPaths: null, previous: null };
    expect(await bodies()).toMatchObject([none, { ...none, reason: 'RELEASED' }]);
  });

  it('are missing after a rollback, a refusal and a repeat of a key', async () => {
    await register(ctx, [HELD, RELEASED]);
    const rolledBack = inTransaction(ctx, async (ctx) => {
      await heldUntil(Date.now() + HOUR_MS, ctx, 'a');
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await expect(held(...Array.from({ length: 11 }, (_, n) => `${n}`))).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await eventsOf(ctx)).toEqual([]);
    const expiresAt = Date.now() + HOUR_MS;
    for (let sent = 0; sent < 2; sent += 1) await heldUntil(expiresAt, ctx, 'a');
    expect((await eventsOf(ctx)).map(({ scope }) => scope)).toEqual([HELD]);
  });

  it('are missing after a dry run', async () => {
    await register(ctx, [HELD]);
    const api = await startOperations(database.db);
    const input = [entryOf(Date.now() + HOUR_MS, 'a')];
    const tried = await api.call(ctx, 'holdStock', { input }, { 'x-dry-run': 'true' });
    expect(tried).toMatchObject({ data: { holdStock: [{ key: 'a' }] }, extensions: { dryRun: true } });
    expect(await eventsOf(ctx)).toEqual([]);
    await api.call(ctx, 'holdStock', { input });
    expect(await eventsOf(ctx)).toHaveLength(1);
    await api.stop();
  });

  it('reach only the apps of the merchant that listen to them', async () => {
    const [other, listensToCounts, stranger] = [
      await createOtherApp(ctx),
      await createOtherApp(ctx),
      await createContext(database.db),
    ];
    await register(other, [RELEASED]);
    await register(listensToCounts, ['store/stock/created', UPDATED]);
    await register(stranger, [HELD, RELEASED]);
    await register(ctx, [HELD]);
    const [made] = await held('a');
    await releaseHold(ctx, { idList: [made!.id] });
    const app = ({ session }: Context) => session.authorizedAppId;
    expect((await eventsOf(ctx)).map(({ appId, scope, sequence }) => [appId, scope, sequence])).toEqual([
      [app(ctx), HELD, 1],
      [app(other), RELEASED, 1],
    ]);
    expect(await eventsOf(stranger)).toEqual([]);
  });

  it("go to the webhooks of their products' sales channels", async () => {
    const [within, outside] = [newId(), newId()];
    await ctx.db.execute(
      sql`update product set sales_channel_ids = ${`{${within}}`}::uuid[] where merchant_id = ${ctx.merchantId}`,
    );
    const other = await createOtherApp(ctx);
    await register(ctx, [HELD], { salesChannelIds: [within] });
    await register(other, [HELD], { salesChannelIds: [outside] });
    await held('a');
    expect((await eventsOf(ctx)).map(({ appId }) => appId)).toEqual([ctx.session.authorizedAppId]);
  });

  it('are explained', async () => {
    const code = async (scope: string, recordId: string) => (await explainWebhook(ctx, { scope, recordId })).code;
    await register(ctx, [RELEASED]);
    const [made] = await held('a');
    expect(await code(HELD, made!.id)).toBe('NOT_REGISTERED');
    expect(await code(RELEASED, made!.id)).toBe('UNCHANGED');
    await releaseHold(ctx, { idList: [made!.id] });
    expect(await code(RELEASED, made!.id)).toBe('WAITING');
    await register(ctx, [HELD]);
    expect(await code(HELD, made!.id)).toBe('REGISTERED_LATER');
    expect(await code(HELD, (await held('b'))[0]!.id)).toBe('WAITING');
    await expect(code(HELD, newId())).rejects.toMatchObject({ code: 'NOT_FOUND', extensions: { type: 'StockHold' } });
  });
});

it('a removed hold is explained with the time of its event, if the webhook was registered again', async () => {
  await register(ctx, [HELD, RELEASED]);
  const [made] = await held('a');
  await releaseHold(ctx, { idList: [made!.id] });
  await database.db.execute(sql`delete from stock_hold where merchant_id = ${ctx.merchantId}`);
  await database.db.execute(sql`delete from webhook where merchant_id = ${ctx.merchantId}`);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await register(ctx, [HELD, RELEASED]);
  const times = await database.db.execute<{ scope: string; ms: number }>(sql`
    select scope, (extract(epoch from created_at) * 1000)::float8 as ms from webhook_delivery
    where merchant_id = ${ctx.merchantId}`);
  expect(times).toHaveLength(2);
  await database.db.execute(sql`update webhook_delivery set state = 'DELIVERED' where merchant_id = ${ctx.merchantId}`);
  for (const { scope, ms } of times)
    expect(await explainWebhook(ctx, { scope, recordId: made!.id })).toMatchObject({
      code: 'REGISTERED_LATER',
      message: expect.stringContaining(` at ${new Date(ms).toISOString()}. `),
    });
});

describe('store/stock/updated', () => {
  beforeEach(async () => {
    await register(ctx, ['store/stock/created', UPDATED]);
    await forget(ctx);
  });

  it('says what was added, why and for what, and leaves data and signature as they are', async () => {
    await adjust({ delta: -1.5, reason: 'broken', reference: 'order 7' });
    const [body] = await bodies();
    expect(body).toMatchObject({ scope: UPDATED, delta: -1.5, reason: 'broken', reference: 'order 7' });
    expect(Object.keys(body!).slice(-6)).toEqual(['sequence', 'data', 'delta', 'reason', 'reference', 'signature']);
    const data = body!.data as string;
    expect(Object.keys(JSON.parse(data))).toEqual([
      'id',
      'productId',
      'variantId',
      'stockLocationId',
      'stockCount',
      'createdAt',
      'updatedAt',
      'deleted',
    ]);
    expect(JSON.parse(data)).toMatchObject({ ...place, stockCount: 8.5 });
    expect(body!.signature).toBe(signData(data, 'secret'));
  });

  it('has the sum of the transaction, and null for what differs', async () => {
    const same = { reason: 'recount', reference: 'sheet' };
    await adjust({ delta: 3, ...same }, { delta: -1, ...same });
    await adjust({ delta: 1, ...same }, { delta: 1, reason: 'recount', reference: 'other' });
    await adjust({ delta: 1, ...same }, { delta: 1 });
    await inTransaction(ctx, async (ctx) => {
      await adjustIn(ctx, { delta: 2, ...same });
      await adjustIn(ctx, { delta: 0.25, ...same });
    });
    await save(1);
    expect(
      (await bodies()).map(({ sequence, delta, reason, reference }) => [sequence, delta, reason, reference]),
    ).toEqual([
      [1, 2, 'recount', 'sheet'],
      [2, 2, 'recount', null],
      [3, 2, null, null],
      [4, 2.25, 'recount', 'sheet'],
      [5, -17.25, null, null],
    ]);
  });

  it('has what a committed hold took, and 0 for a change that moves nothing', async () => {
    const [made] = await held('a');
    await commitHold(ctx, { idList: [made!.id] });
    await ctx.db.execute(sql`update product_stock_location set deleted = true where merchant_id = ${ctx.merchantId}`);
    expect(await bodies()).toMatchObject([
      { scope: UPDATED, delta: -1, reason: null, reference: 'cart' },
      { scope: UPDATED, delta: 0, reason: null, reference: null },
    ]);
  });

  it('is not sent for holds', async () => {
    await releaseHold(ctx, { idList: [(await held('a'))[0]!.id] });
    await expire((await held('b'))[0]!.id);
    expect(await eventsOf(ctx)).toEqual([]);
  });
});

/** What receivers get, oldest first. */
async function bodies(): Promise<Record<string, unknown>[]> {
  const ids = (await eventsOf(ctx)).map(({ id }) => id);
  const claimed = await claimDeliveries(ctx, ids);
  const byId = new Map(claimed.map((delivery) => [delivery.id, delivery]));
  return ids.map((id) => {
    const { createdAt, ...delivery } = byId.get(id)!;
    const sent = { ...delivery, merchantId: ctx.merchantId, createdAt: new Date(createdAt) };
    return JSON.parse(envelope(sent, 'secret')) as Record<string, unknown>;
  });
}

function keyOf(data: unknown): string {
  return (JSON.parse(data as string) as StockHold).key;
}

async function held(...keys: string[]): Promise<StockHold[]> {
  return await heldUntil(Date.now() + HOUR_MS, ctx, ...keys);
}

async function heldUntil(expiresAt: number, own: Context, ...keys: string[]): Promise<StockHold[]> {
  return await holdStock(own, { input: keys.map((key) => entryOf(expiresAt, key)) } as never, hold);
}

function entryOf(expiresAt: number, key: string) {
  return { ...place, quantity: 1, key, reference: 'cart', expiresAt };
}

async function stored(): Promise<StockHold[]> {
  return (await listStockHold(ctx, {} as never, { data: hold })).data;
}

type Adjustment = { delta: number; reason?: string; reference?: string };

async function adjust(...entries: Adjustment[]): Promise<void> {
  await adjustIn(ctx, ...entries);
}

async function adjustIn(own: Context, ...entries: Adjustment[]): Promise<void> {
  await adjustStock(own, { input: entries.map((entry) => ({ ...place, key: newId(), ...entry })) }, { id: {} });
}

async function save(stockCount: number): Promise<void> {
  await saveProductStockLocations(ctx, { input: { productStockLocationInputs: [{ ...place, stockCount }] } });
}

/** Ends a hold as time does, and runs the sweep. */
async function expire(id: string): Promise<void> {
  await ctx.db.execute(
    sql`update stock_hold set expires_at = now() where merchant_id = ${ctx.merchantId} and id = ${id}`,
  );
  expect(await expireHolds({ ...ctx, across: database.across })).toBe(1);
}

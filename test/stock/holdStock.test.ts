import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { inTransaction } from '../../src/db/connection/transaction.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { HoldStockInput } from '../../src/graphql/generated/types.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { adjustStock } from '../../src/stock/adjustStock.ts';
import { commitHold } from '../../src/stock/commitHold.ts';
import { deleteStockLocationList } from '../../src/stock/deleteStockLocationList.ts';
import { extendHold } from '../../src/stock/extendHold.ts';
import { expireHolds, limitHolds } from '../../src/stock/hold/expire-holds.ts';
import { removeOldHolds } from '../../src/stock/hold/remove-old-holds.ts';
import { holdStock } from '../../src/stock/holdStock.ts';
import { listProductStockLocation } from '../../src/stock/listProductStockLocation.ts';
import { listStockHold } from '../../src/stock/listStockHold.ts';
import { listStockMovement } from '../../src/stock/listStockMovement.ts';
import { releaseHold } from '../../src/stock/releaseHold.ts';
import { saveProductStockLocations } from '../../src/stock/saveProductStockLocations.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { createOtherApp } from '../webhook/deliveries.ts';
import { register } from '../webhook/ledger.ts';
import { type Place, places } from './places.ts';

const HOUR_MS = 3_600_000;

const hold = {
  id: {},
  quantity: {},
  key: {},
  reference: {},
  status: {},
  createdAt: {},
  expiresAt: {},
  variantId: {},
  stockLocationId: {},
};

let database: TestDatabase;
let ctx: Context;
let place: Place;

beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
  place = (await places(ctx, 1))[0]!;
});
afterAll(() => database.drop());

describe('holdStock', () => {
  it('holds what is available, and nothing more', async () => {
    await save(3);
    const before = await counts();
    const [made] = await held({ quantity: 2, key: 'a', reference: 'cart' });
    expect(made).toMatchObject({ quantity: 2, key: 'a', reference: 'cart', status: 'ACTIVE', ...variantPlace() });
    expect(await counts()).toEqual({ ...before, heldCount: 2, availableCount: 1 });
    await expect(
      held(
        { quantity: 0.5, key: 'b' },
        { quantity: 0.6, key: 'c' },
        { quantity: 0.5, key: 'd' },
        { quantity: 0.1, key: 'e' },
      ),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
      extensions: {
        refused: [
          { path: ['input', 1], available: 0.5 },
          { path: ['input', 3], available: 0 },
        ],
      },
    });
    await held({ quantity: 1, key: 'b', productId: null });
    expect(await counts()).toMatchObject({ heldCount: 3, availableCount: 0 });
    await expect(adjust(-1)).rejects.toMatchObject({ extensions: { refused: [{ available: 0 }] } });
  });

  it('returns the hold of a key, also if it has ended, and refuses the key for another content', async () => {
    await save(3);
    const expiresAt = Date.now() + HOUR_MS;
    const [made] = await held({ quantity: 2, key: 'a', expiresAt });
    await releaseHold(ctx, { idList: [made!.id] });
    expect(await held({ quantity: 2, key: 'a', expiresAt })).toEqual([{ ...made, status: 'RELEASED' }]);
    expect(await counts()).toMatchObject({ heldCount: 0 });
    await expect(held({ quantity: 1, key: 'a', expiresAt })).rejects.toMatchObject({ extensions: { keys: ['a'] } });
    await expect(adjust(1, 'a')).rejects.toMatchObject({ extensions: { keys: ['a'] } });
  });

  it('does not hold what an absolute count has taken', async () => {
    await save(3);
    await held({ quantity: 2, key: 'a' });
    await save(1);
    expect(await counts()).toMatchObject({ stockCount: 1, heldCount: 2, availableCount: -1 });
    await expect(held({ quantity: 1, key: 'b' })).rejects.toMatchObject({
      extensions: { refused: [{ path: ['input', 0], available: -1 }] },
    });
    await adjust(2);
    await held({ quantity: 1, key: 'b' });
  });

  it('may last 30 days of 24 hours, also where summer time begins meanwhile', async () => {
    await save(3);
    const dayOfYear = (Date.now() - Date.UTC(new Date().getUTCFullYear(), 0, 0)) / (24 * HOUR_MS);
    const inTwoWeeks = (Math.floor(dayOfYear + 14) % 365) + 1;
    const expiresAt = Date.now() + 30 * 24 * HOUR_MS - 60_000;
    await inTransaction(ctx, async (ctx) => {
      await ctx.db.execute(
        sql`select set_config('timezone', ${`A0B,${inTwoWeeks},${(inTwoWeeks + 100) % 365}`}, true)`,
      );
      const [made] = await holdStock(ctx, { input: [{ ...variantPlace(), quantity: 1, key: 'a', expiresAt }] }, hold);
      await expect(extendHold(ctx, { idList: [made!.id], expiresAt: expiresAt + 1 })).resolves.toBe(true);
    });
  });

  it('is listed newest first, also with others of its request', async () => {
    await save(300);
    for (let request = 0; request < 3; request += 1)
      await held(...Array.from({ length: 100 }, (_, n) => ({ quantity: 1, key: `${request} ${n}` })));
    const { data } = await listStockHold(ctx, { pagination: { limit: 200 } }, { data: { createdAt: {} } });
    const times = data.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  it('refuses bad times, bundles, unknown ids and places without a count', async () => {
    await save(3);
    const issue = (member: string) => ({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['input', 0, member] }] },
    });
    for (const expiresAt of [Date.now() - 1_000, Date.now() + 30 * 24 * HOUR_MS + 60_000])
      await expect(held({ quantity: 1, key: 'a', expiresAt })).rejects.toMatchObject(issue('expiresAt'));
    for (const quantity of [0, -1, 0.0000001])
      await expect(held({ quantity, key: 'a' })).rejects.toMatchObject(issue('quantity'));
    const types = { productId: 'Product', variantId: 'Variant', stockLocationId: 'StockLocation' };
    for (const [member, type] of Object.entries(types))
      for (const id of [newId(), 'x'])
        await expect(held({ quantity: 1, key: 'a', [member]: id })).rejects.toMatchObject({
          code: 'NOT_FOUND',
          extensions: { type, ids: [id], path: ['input', 0, member] },
        });
    const [other] = await places(ctx, 1);
    await expect(held({ ...other, quantity: 1, key: 'a' })).rejects.toMatchObject({
      extensions: { refused: [{ available: 0 }] },
    });
    const parts = JSON.stringify({ products: [{ id: newId(), productId: other!.productId, quantity: 1 }] });
    await database.db.execute(sql`
      update variant set bundle_settings = ${parts}::json
      where merchant_id = ${ctx.merchantId} and id = ${place.variantId}`);
    await expect(held({ quantity: 1, key: 'a' })).rejects.toMatchObject({
      ...issue('variantId'),
      message: expect.stringContaining(other!.productId) as string,
    });
    expect((await listStockHold(ctx, {}, { count: {} })).count).toBe(0);
  });

  it('names the variant if it is unknown, or of a deleted product, and no product is sent', async () => {
    const [known] = await places(ctx, 1);
    await ctx.db.execute(sql`
      update product set deleted = true where merchant_id = ${ctx.merchantId} and id = ${known!.productId}`);
    for (const variantId of [newId(), 'x', known!.variantId])
      await expect(held({ ...known, quantity: 1, key: 'a', productId: null, variantId })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'Variant', ids: [variantId], path: ['input', 0, 'variantId'] },
      });
  });

  it('says of each place without a count what is available there', async () => {
    const [one, other] = await places(ctx, 2);
    const entries = [
      { ...one, quantity: 2, key: 'a' },
      { ...other, quantity: 1, key: 'b' },
    ];
    await expect(held(...entries)).rejects.toMatchObject({
      extensions: { refused: [{ available: 0 }, { available: 0 }] },
    });
  });

  it('refuses more than 10,000 active holds of a variant, and a merchant with too many', async () => {
    await save(20_000);
    const many = Array.from({ length: 10 }, (_, hundred) =>
      Array.from({ length: 1_000 }, (_, n) => ({ quantity: 1, key: `${hundred} ${n}` })),
    );
    for (const entries of many) await held(...entries);
    const limited = { code: 'RATE_LIMITED', extensions: { retryAfter: 10 } };
    await expect(held({ quantity: 1, key: 'a' })).rejects.toMatchObject(limited);
    const [other] = await places(ctx, 1);
    await save(1, other);
    await limitHolds({ ...ctx, across: database.across }, 10_000);
    await expect(held({ ...other, quantity: 1, key: 'a' })).rejects.toMatchObject(limited);
    await limitHolds({ ...ctx, across: database.across });
    await held({ ...other, quantity: 1, key: 'a' });
  }, 120_000);

  it('lists only the entries of which too little is available, beside others of a variant with too many holds', async () => {
    const [full, short] = await places(ctx, 2);
    await save(10_050, full);
    await save(1, short);
    await ctx.db.execute(sql`
      insert into stock_hold
        (merchant_id, id, product_stock_location_id, product_id, variant_id, stock_location_id, quantity, key, created_at,
          expires_at)
      select ${ctx.merchantId}, uuid_v7(), id, product_id, variant_id, stock_location_id, 1, 'full ' || n, now(),
        now() + interval '1 day'
      from product_stock_location, generate_series(1, 10000) as n
      where merchant_id = ${ctx.merchantId} and variant_id = ${full!.variantId}`);
    const tooMany = { ...full, quantity: 1 };
    await expect(
      held({ ...tooMany, key: 'a' }, { ...short, quantity: 2, key: 'b' }, { ...tooMany, key: 'c' }),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'input.1: only 1 is available',
      extensions: { refused: [{ path: ['input', 1], available: 1 }] },
    });
    await expect(held({ ...tooMany, key: 'a' })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('never holds too much when many clients ask at once', async () => {
    await save(10);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) => held({ quantity: 1, key: `k${n}` })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await counts()).toMatchObject({ heldCount: 10, availableCount: 0 });
  });
});

describe('the end of a hold', () => {
  it('commitHold sells once, and refuses what has ended otherwise', async () => {
    await save(5);
    const [first, second, third] = await held(
      { quantity: 1, key: 'a', reference: 'order' },
      { quantity: 2, key: 'b' },
      { quantity: 1, key: 'c' },
    );
    await expect(commitHold(ctx, { idList: [first!.id, second!.id] })).resolves.toBe(true);
    await expect(commitHold(ctx, { idList: [first!.id] })).resolves.toBe(true);
    expect(await counts()).toMatchObject({ stockCount: 2, heldCount: 1, availableCount: 1 });
    const moved = (await listStockMovement(ctx, {}, { data: { kind: {}, delta: {}, reference: {}, key: {} } })).data;
    expect(moved).toHaveLength(3);
    expect(moved).toEqual(
      expect.arrayContaining([
        { kind: 'SOLD', delta: -1, reference: 'order', key: 'a' },
        { kind: 'SOLD', delta: -2, reference: null, key: 'b' },
      ]),
    );
    await expect(releaseHold(ctx, { idList: [third!.id, first!.id] })).rejects.toMatchObject({
      code: 'CONFLICT',
      extensions: { ids: [first!.id] },
    });
    expect(await counts()).toMatchObject({ heldCount: 1 });
    await releaseHold(ctx, { idList: [third!.id] });
    await expect(releaseHold(ctx, { idList: [third!.id] })).resolves.toBe(true);
    await expect(commitHold(ctx, { idList: [third!.id] })).rejects.toMatchObject({ extensions: { ids: [third!.id] } });
    for (const id of [newId(), 'x'])
      await expect(commitHold(ctx, { idList: [id] })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { ids: [id] },
      });
  });

  it('commitHold refuses to leave a count outside the limits of a save', async () => {
    await save(5);
    const [first, second, third] = await held(...['a', 'b', 'c'].map((key) => ({ quantity: 1, key })));
    await save(-999_999_999_999);
    await commitHold(ctx, { idList: [first!.id] });
    const message = 'must leave a count from -1000000000000 to 1000000000000';
    await expect(commitHold(ctx, { idList: [first!.id, third!.id, second!.id] })).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [1, 2].map((place) => ({ path: ['idList', place], message })) },
    });
    expect(await counts()).toMatchObject({ stockCount: -1e12, heldCount: 2 });
    await save(1);
    await commitHold(ctx, { idList: [second!.id, third!.id] });
    expect(await counts()).toMatchObject({ stockCount: -1, heldCount: 0 });
  });

  it('comes at expiresAt, without a job, and is marked once', async () => {
    await save(5);
    const [made] = await held({ quantity: 5, key: 'a' });
    await end(made!.id);
    expect(await counts()).toMatchObject({ heldCount: 0, availableCount: 5 });
    expect((await holds())[0]!.status).toBe('ACTIVE');
    for (const change of [commitHold, (own: Context, args: { idList: string[] }) => extend(own, args.idList)])
      await expect(change(ctx, { idList: [made!.id] })).rejects.toMatchObject({
        code: 'CONFLICT',
        extensions: { ids: [made!.id] },
      });
    await expect(releaseHold(ctx, { idList: [made!.id] })).resolves.toBe(true);
    await held({ quantity: 5, key: 'b' });
    expect(await expireHolds({ ...ctx, across: database.across })).toBe(1);
    expect(await expireHolds({ ...ctx, across: database.across })).toBe(0);
    expect((await holds()).map(({ key, status }) => [key, status])).toEqual([
      ['b', 'ACTIVE'],
      ['a', 'EXPIRED'],
    ]);
  });

  it('is moved by extendHold', async () => {
    await save(1);
    const [made] = await held({ quantity: 1, key: 'a' });
    const expiresAt = Date.now() + 2 * HOUR_MS;
    await expect(extendHold(ctx, { idList: [made!.id], expiresAt })).resolves.toBe(true);
    expect((await holds())[0]).toEqual({ ...made, expiresAt });
    for (const bad of [Date.now() - 1, Date.now() + 31 * 24 * HOUR_MS])
      await expect(extendHold(ctx, { idList: [made!.id], expiresAt: bad })).rejects.toMatchObject({
        code: 'ARGUMENT_VALIDATION_ERROR',
        extensions: { issues: [{ path: ['expiresAt'] }] },
      });
  });
});

it('removeOldHolds removes ended holds so many days after expiresAt, and no active ones', async () => {
  await save(10);
  const [released, , active] = await held(...['released', 'young', 'active'].map((key) => ({ quantity: 1, key })));
  await releaseHold(ctx, { idList: [released!.id] });
  await database.db.execute(sql`
    update stock_hold set expires_at = now() - interval '100 days'
    where merchant_id = ${ctx.merchantId} and id in (${released!.id}, ${active!.id})`);
  const across = { ...ctx, across: database.across };
  const keys = async () => (await holds()).map(({ key }) => key).toSorted();
  await removeOldHolds(across, 101);
  expect(await keys()).toEqual(['active', 'released', 'young']);
  await removeOldHolds(across, 99);
  expect(await keys()).toEqual(['active', 'young']);
});

it.each([
  ['by its age', () => removeOldHolds({ ...ctx, across: database.across }, 99)],
  [
    'with its count',
    () => database.db.execute(sql`delete from product_stock_location where merchant_id = ${ctx.merchantId}`),
  ],
])('a hold that is removed %s leaves no number of its events, and other records keep theirs', async (_, remove) => {
  const scopes = ['store/stock/held', 'store/stock/released', 'store/stock/created'];
  for (const app of [ctx, await createOtherApp(ctx)]) await register(app, scopes);
  const numbered = async () =>
    (
      await database.db.execute<{ action: string }>(
        sql`select action from webhook_record where merchant_id = ${ctx.merchantId} order by action`,
      )
    ).map(({ action }) => action);
  await save(1);
  const [made] = await held({ quantity: 1, key: 'a' });
  await releaseHold(ctx, { idList: [made!.id] });
  await database.db.execute(
    sql`update stock_hold set expires_at = now() - interval '100 days' where merchant_id = ${ctx.merchantId}`,
  );
  expect(await numbered()).toEqual(['created', 'created', 'released', 'released']);
  await remove();
  expect(await numbered()).toEqual(['created', 'created']);
});

it('holds stay and end when their stock location is deleted; a removed count takes its holds with it', async () => {
  await save(2);
  const again = { quantity: 1, key: 'a', expiresAt: Date.now() + HOUR_MS };
  const [made] = await held(again);
  expect(await available()).toBe(1);
  await deleteStockLocationList(ctx, { idList: [place.stockLocationId] });
  expect(await available()).toBe(0);
  await releaseHold(ctx, { idList: [made!.id] });
  await database.db.execute(sql`delete from product_stock_location where merchant_id = ${ctx.merchantId}`);
  expect(await holds()).toEqual([]);
  await expect(held(again)).rejects.toMatchObject({ code: 'CONFLICT', extensions: { keys: ['a'] } });
});

it('listProduct finds what is available', async () => {
  await save(1);
  const found = async (isAvailable: boolean) =>
    (await listProduct(ctx, { stock: { isAvailable } }, { data: { id: {} } })).data.length;
  expect([await found(true), await found(false)]).toEqual([1, 0]);
  const [made] = await held({ quantity: 1, key: 'a' });
  expect([await found(true), await found(false)]).toEqual([0, 1]);
  expect((await listProduct(ctx, { stock: { inStock: true } }, { data: { id: {} } })).data).toHaveLength(1);
  await end(made!.id);
  expect([await found(true), await found(false)]).toEqual([1, 0]);
});

type Entry = Partial<HoldStockInput> & { quantity: number; key: string };

function held(...entries: Entry[]) {
  const expiresAt = Date.now() + HOUR_MS;
  return holdStock(ctx, { input: entries.map((entry) => ({ ...place, expiresAt, ...entry })) }, hold);
}

function adjust(delta: number, key: string = newId()) {
  return adjustStock(ctx, { input: [{ ...place, delta, key }] }, { id: {} });
}

function extend(own: Context, idList: string[]) {
  return extendHold(own, { idList, expiresAt: Date.now() + HOUR_MS });
}

function variantPlace() {
  return { variantId: place.variantId, stockLocationId: place.stockLocationId };
}

async function save(stockCount: number, at: Place = place): Promise<void> {
  await saveProductStockLocations(ctx, { input: { productStockLocationInputs: [{ ...at, stockCount }] } });
}

async function counts() {
  const own = { stockCount: {}, heldCount: {}, availableCount: {}, updatedAt: {} };
  return (await listProductStockLocation(ctx, { variantId: { eq: place.variantId } }, { data: own })).data[0]!;
}

async function holds() {
  return (await listStockHold(ctx, {}, { data: hold })).data;
}

async function available(): Promise<number | undefined> {
  const { data } = await listProduct(ctx, {}, { data: { variants: { availableCount: {} } } });
  return data[0]!.variants[0]!.availableCount;
}

/** Ends a hold as time does. */
async function end(id: string): Promise<void> {
  await database.db.execute(
    sql`update stock_hold set expires_at = now() where merchant_id = ${ctx.merchantId} and id = ${id}`,
  );
}

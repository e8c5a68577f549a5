import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { limitWaitingBytes } from '../../../src/webhook/ledger/limit-waiting-bytes.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { spyDatabase } from '../../support/spy-database.ts';
import { waitForLocks } from '../../support/wait-for-locks.ts';
import { register } from '../ledger.ts';

const PAYLOAD_BYTES = 1_000;
const created = ['store/customer/created'];

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterEach(() => database.owner.execute(sql`update webhook set status = 'ACTIVE'`));
afterAll(() => database.drop());

/** Creates a merchant with deliveries that wait for a webhook, oldest first. */
async function waiting(count: number, status: 'ACTIVE' | 'PAUSED'): Promise<Context> {
  const ctx = await createContext(database.db);
  await register(ctx, created, { status });
  await ctx.db.execute(sql`
    insert into webhook_delivery (merchant_id, id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data)
    select merchant_id, uuid_v7(), id, authorized_app_id, scope, endpoint, uuid_v7(), n, rpad('{"n":"', ${PAYLOAD_BYTES - 2}::int, 'x') || '"}'
    from webhook, generate_series(1, ${count}::int) n where merchant_id = ${ctx.merchantId} order by n`);
  return ctx;
}

/** Calls `call` before each transaction of a merchant's task. */
function beforeTransactions(call: () => Promise<void>): { mockRestore: () => void } {
  return spyDatabase('transaction', async ({ run }) => {
    await call();
    return await run();
  });
}

type Row = {
  sequence: number;
  recordId: string;
  state: string;
  data: string;
  truncated: string[] | null;
  log: { error: string }[];
};

async function rowsOf({ db, merchantId }: Context): Promise<Row[]> {
  return await db.execute<Row>(sql`
    select sequence, record_id as "recordId", state, data, truncated, attempt_log as log from webhook_delivery where merchant_id = ${merchantId} order by id`);
}

it('gives up no delivery that had a request before the pause', async () => {
  const ctx = await waiting(3, 'PAUSED');
  await database.owner.execute(
    sql`update webhook_delivery set attempts = 1 where merchant_id = ${ctx.merchantId} and sequence = 1`,
  );
  await limitWaitingBytes(database, { maxWaitingBytes: 0 });
  const kept = (await rowsOf(ctx)).filter(({ state }) => state === 'PENDING');
  expect(kept.map(({ sequence }) => sequence)).toEqual([1]);
});

it('gives up the oldest deliveries that wait for a paused webhook past the limit, and keeps the id of their record', async () => {
  const ctx = await waiting(10, 'PAUSED');
  expect(await limitWaitingBytes(database, { maxWaitingBytes: 4 * PAYLOAD_BYTES })).toBe(6);
  const rows = await rowsOf(ctx);
  expect(rows.map(({ state }) => state)).toEqual([
    ...Array<string>(6).fill('FAILED'),
    ...Array<string>(4).fill('PENDING'),
  ]);
  for (const { data, recordId, truncated, log } of rows.slice(0, 6)) {
    expect(JSON.parse(data)).toEqual({ id: recordId });
    expect(truncated).toEqual(['*']);
    expect(log).toMatchObject([{ error: 'quota exceeded', statusCode: null, durationMs: null }]);
  }
  for (const row of rows.slice(6)) expect(row).toMatchObject({ truncated: null, log: [] });
  expect(await limitWaitingBytes(database, { maxWaitingBytes: 4 * PAYLOAD_BYTES })).toBe(0);
});

it('gives up nothing at the limit, and one delivery if the limit is exceeded', async () => {
  await waiting(5, 'PAUSED');
  expect(await limitWaitingBytes(database, { maxWaitingBytes: 5 * PAYLOAD_BYTES })).toBe(0);
  expect(await limitWaitingBytes(database, { maxWaitingBytes: 5 * PAYLOAD_BYTES - 1 })).toBe(1);
});

it('counts what deliveries have beside their data', async () => {
  const ctx = await waiting(10, 'PAUSED');
  const members = JSON.stringify({ changedPaths: ['x'.repeat(PAYLOAD_BYTES - 50)], previous: null });
  await database.db.execute(sql`
    update webhook_delivery set changes = ${members}::json where merchant_id = ${ctx.merchantId}`);
  expect(await limitWaitingBytes(database, { maxWaitingBytes: 10 * PAYLOAD_BYTES })).toBe(5);
});

it('does not change deliveries of active webhooks and of other merchants', async () => {
  const [active, other, over] = [await waiting(50, 'ACTIVE'), await waiting(20, 'PAUSED'), await waiting(30, 'PAUSED')];
  await database.db.execute(
    sql`update webhook_delivery set claimed_at = now() where merchant_id = ${over.merchantId} and sequence = ${(await rowsOf(over))[0]!.sequence}`,
  );
  expect(await limitWaitingBytes(database, { maxWaitingBytes: 25 * PAYLOAD_BYTES })).toBe(4);
  for (const ctx of [active, other])
    expect((await rowsOf(ctx)).every(({ state, truncated }) => state === 'PENDING' && truncated === null)).toBe(true);
  // The request of the first delivery has begun, so it is not given up.
  expect((await rowsOf(over)).flatMap(({ state }, place) => (state === 'FAILED' ? [place] : []))).toEqual([1, 2, 3, 4]);
});

it('gives up the oldest deliveries of all paused webhooks of a merchant', async () => {
  const ctx = await waiting(4, 'PAUSED');
  await register(ctx, ['store/customer/updated'], { status: 'PAUSED' });
  // Both webhooks have deliveries of each age.
  await ctx.db.execute(sql`
    update webhook_delivery set scope = webhook.scope, webhook_id = webhook.id from webhook
    where webhook_delivery.merchant_id = ${ctx.merchantId} and webhook.merchant_id = ${ctx.merchantId}
      and webhook.scope = 'store/customer/updated' and sequence % 2 = 0`);
  expect(await limitWaitingBytes(database, { maxWaitingBytes: PAYLOAD_BYTES })).toBe(3);
  expect((await rowsOf(ctx)).map(({ state }) => state)).toEqual(['FAILED', 'FAILED', 'FAILED', 'PENDING']);
});

it('gives up no further delivery after a webhook is resumed', async () => {
  const ctx = await waiting(2_500, 'PAUSED');
  let transactions = 0;
  const spy = beforeTransactions(async () => {
    transactions += 1;
    if (transactions === 2)
      await ctx.db.execute(sql`update webhook set status = 'ACTIVE' where merchant_id = ${ctx.merchantId}`);
  });
  const given = limitWaitingBytes(database, { maxWaitingBytes: 0 }).finally(() => spy.mockRestore());
  expect(await given).toBe(1_000);
});

it('gives up any number of deliveries', async () => {
  const ctx = await waiting(2_500, 'PAUSED');
  expect(await limitWaitingBytes(database, { maxWaitingBytes: 100 * PAYLOAD_BYTES })).toBe(2_400);
  expect((await rowsOf(ctx)).filter(({ state }) => state === 'PENDING')).toHaveLength(100);
});

it('gives up no more if another worker does the same meanwhile', async () => {
  const ctx = await waiting(2_500, 'PAUSED');
  const limit = { maxWaitingBytes: 2_000 * PAYLOAD_BYTES };
  let isFirst = true;
  const spy = beforeTransactions(async () => {
    if (!isFirst) return;
    isFirst = false;
    expect(await limitWaitingBytes(database, limit)).toBe(500);
  });
  expect(await limitWaitingBytes(database, limit).finally(() => spy.mockRestore())).toBe(0);
  expect((await rowsOf(ctx)).filter(({ state }) => state === 'PENDING')).toHaveLength(2_000);
});

it('logs the reason once if several workers give up the same deliveries', async () => {
  const ctx = await waiting(1_500, 'PAUSED');
  const limit = { maxWaitingBytes: 0 };
  await Promise.all([1, 2, 3].map(async () => await limitWaitingBytes(database, limit)));
  const rows = await rowsOf(ctx);
  expect(rows.map(({ state }) => state)).toEqual(Array<string>(1_500).fill('FAILED'));
  expect(rows.filter(({ log }) => log.length > 1)).toEqual([]);
});

it('does not deadlock with a redelivery, which locks deliveries before their webhooks', async () => {
  const ctx = await waiting(10, 'PAUSED');
  let limiting: Promise<number>;
  await database.db.transaction(async (redelivery) => {
    await redelivery.execute(sql`
      select from webhook_delivery where merchant_id = ${ctx.merchantId} order by id for update`);
    limiting = limitWaitingBytes(database, { maxWaitingBytes: 0 });
    await waitForLocks(database.db, 1);
    const [locked] = await redelivery.execute(sql`
      select status from webhook where merchant_id = ${ctx.merchantId} for share nowait`);
    expect(locked).toEqual({ status: 'PAUSED' });
  });
  expect(await limiting!).toBe(10);
});

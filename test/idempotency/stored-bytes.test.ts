import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { buildSchema, readSources } from '../../src/graphql/schema/schema.ts';
import { removeExpiredKeys } from '../../src/idempotency/remove-expired-keys.ts';
import { MAX_STORED_BYTES } from '../../src/idempotency/stored-bytes.ts';
import { openOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import { resolvers } from '../../src/resolvers.ts';
import { countRows, isReplay } from '../support/clients.ts';
import { skipOnCluster } from '../support/cluster.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Answer, codes, post } from '../support/post.ts';
import { startServer, type TestServer } from '../support/server.ts';

const saveTag = 'mutation ($name: String!) { saveProductTag(input: { name: $name }) { name } }';
const RETRY_MAX_S = 25 * 60 * 60;

let database: TestDatabase;
let outbound: Outbound;
let server: TestServer;
let ctx: Context;
let resolved = 0;

beforeAll(async () => {
  database = await createDatabase();
  outbound = openOutbound({ allowHttp: true, allowPrivate: true }, async () => {
    resolved += 1;
    return await Promise.resolve(['127.0.0.1']);
  });
  const { webhook } = await createContext(database.db);
  server = await startServer({
    schema: buildSchema(readSources(), resolvers),
    db: database.db,
    webhook: { ...webhook, outbound },
  });
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await server.drain();
  outbound.close();
  await database.drop();
});

it('requests with keys do not wait for the end of another one, which writes its changes and events', async (test) => {
  skipOnCluster(test, 'a cluster takes no trigger of a test');
  const owner = database.owner;
  await owner.execute(sql`
    create function wait_for_test() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(7); return null; end $$`);
  await owner.execute(sql`
    create constraint trigger wait_for_test after insert on product_tag deferrable initially deferred
    for each row when (new.name = 'Slow') execute function wait_for_test()`);
  const isFree = Promise.withResolvers<void>();
  const holding = owner.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(7)`);
    await isFree.promise;
  });
  try {
    const slow = send('Slow', 'slow');
    const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted`;
    await expect.poll(async () => (await owner.execute(waiting)).length).toBe(1);
    expect((await send('Quick', 'quick')).status).toBe(200);
    isFree.resolve();
    await holding;
    expect(codes(await slow)).toEqual([]);
  } finally {
    isFree.resolve();
    await owner.execute(sql`drop trigger wait_for_test on product_tag`);
  }
});

async function send(name: string, key?: string, headers: Record<string, string> = {}, own = ctx): Promise<Answer> {
  return await sendDocument(
    { query: saveTag, variables: { name } },
    { ...(key && { 'idempotency-key': key }), ...headers },
    own,
  );
}

async function sendDocument(body: object, headers: Record<string, string>, own = ctx): Promise<Answer> {
  server.sessions.set(own.merchantId, own.session);
  return await post(server.graphqlUrl, body, { token: own.merchantId, headers });
}

async function keptBytes(own = ctx): Promise<number> {
  const [row] = await database.db.execute<{ bytes: number }>(
    sql`select coalesce(sum(bytes), 0)::float8 as bytes from idempotency_usage where merchant_id = ${own.merchantId}`,
  );
  return row!.bytes;
}

/** Leaves room for `bytes`, as if stored answers of an earlier hour took the rest. */
async function leaveRoom(bytes: number, hours = 1): Promise<void> {
  await database.db.execute(sql`delete from idempotency_usage where merchant_id = ${ctx.merchantId}`);
  await database.db.execute(sql`
    insert into idempotency_usage (merchant_id, expires_at, bytes)
    values (${ctx.merchantId}, date_trunc('hour', now()) + make_interval(hours => ${hours}), ${MAX_STORED_BYTES - bytes})`);
}

async function bytesOfOne(): Promise<number> {
  const before = await keptBytes();
  expect(codes(await send('measured', 'measured'))).toEqual([]);
  return (await keptBytes()) - before;
}

describe('the answers that are kept for keys', () => {
  it('count with their bytes and those of the key, and repeated requests do not count', async () => {
    const answer = await send('Tag', 'a');
    const { data, ...body } = answer.body as { data: unknown };
    const stored = `${JSON.stringify({ status: 200, headers: {}, body })}\n${JSON.stringify(data)}`;
    expect(await keptBytes()).toBe(Buffer.byteLength(stored) + 512);
    await send('Tag', 'a');
    await send('Tag', 'b', { 'x-dry-run': 'true' });
    await send('');
    expect(await keptBytes()).toBe(Buffer.byteLength(stored) + 512);
  });

  it('may use the quota completely, and not a byte more', async () => {
    const bytes = await bytesOfOne();
    await leaveRoom(bytes);
    expect(codes(await send('One more', 'a'))).toEqual([]);
    await leaveRoom(bytes - 1);
    const refused = await send('Too much', 'b');
    expect([refused.status, codes(refused)]).toEqual([429, ['RATE_LIMITED']]);
    expect([await countRows('product_tag', ctx), await countRows('idempotency_key', ctx)]).toEqual([2, 2]);
    await leaveRoom(bytes);
    expect(codes(await send('Too much', 'b'))).toEqual([]);
  });

  it('that use the quota completely refuse only new keys, before anything is resolved, sent or executed', async () => {
    await send('Tag', 'old');
    await leaveRoom(0);
    resolved = 0;
    const refused = await sendDocument(
      {
        query:
          'mutation { saveWebhook(input: { endpoint: "http://x.example/", scopes: ["store/product/created"] }) { id } }',
      },
      { 'idempotency-key': 'new' },
    );
    expect([refused.status, codes(refused)]).toEqual([429, ['RATE_LIMITED']]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(RETRY_MAX_S);
    expect([resolved, await countRows('webhook', ctx), await countRows('idempotency_key', ctx)]).toEqual([0, 0, 1]);
    expect(isReplay(await send('Tag', 'old'))).toBe(true);
    expect(codes(await send('Other', 'old'))).toEqual(['CONFLICT']);
    expect(codes(await send('Plain'))).toEqual([]);
    expect(codes(await send('Tried', 'tried', { 'x-dry-run': 'true' }))).toEqual([]);
    const other = await createContext(database.db);
    expect(codes(await send('Other', 'new', {}, other))).toEqual([]);
  });

  it('never exceed the quota, also with concurrent requests', async () => {
    const bytes = await bytesOfOne();
    await leaveRoom(3 * bytes + bytes - 1);
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, at) => await send(`tag-${String(at).padStart(4, '0')}`, `key-${at}`)),
    );
    expect(answers.filter((answer) => codes(answer).length === 0)).toHaveLength(3);
    expect(answers.filter((answer) => codes(answer)[0] === 'RATE_LIMITED')).toHaveLength(9);
    expect(await keptBytes()).toBeLessThanOrEqual(MAX_STORED_BYTES);
    expect(await countRows('product_tag', ctx)).toBe(4);
  });

  it('no longer count when their hour is over, and are removed then', async () => {
    await leaveRoom(0, 0);
    expect(codes(await send('Tag', 'a'))).toEqual([]);
    await removeExpiredKeys(database);
    expect(await countRows('idempotency_usage', ctx)).toBe(1);
    expect(await keptBytes()).toBeLessThan(MAX_STORED_BYTES);
  });
});

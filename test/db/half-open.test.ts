import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { connect } from '../../src/db/connect.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

/** Longer than a silent connection is waited for. */
const NOTICED_WITHIN_MS = 30_000;
const CHANNEL = 'half_open';

let database: TestDatabase;
const opened: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  database = await createDatabase();
});
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});
afterAll(() => database.drop());

it('statements on a connection whose network is gone without a word end, and later ones are served', async () => {
  const proxy = await openProxy();
  const { db, close } = connect(proxy.url, { poolSize: 2, statementTimeoutMs: 500 });
  opened.push(close);
  await Promise.all([1, 2].map(async () => await db.execute(sql`select pg_sleep(0.05)`)));
  proxy.silence();
  const fates = Promise.all([1, 2].map(async () => await db.execute(sql`select 1`).then(() => 'answered', (error: Error) => (error.cause as Error).message)));
  await wait(1_000);
  proxy.heal();
  expect(await fates).toEqual(['Postgres did not answer.', 'Postgres did not answer.']);
  await vi.waitFor(async () => expect(await db.execute(sql`select 1 as one`)).toEqual([{ one: 1 }]));
}, NOTICED_WITHIN_MS);

it('a connection that is never idle is not taken for a silent one', async () => {
  const { db, close } = connect(database.url, { poolSize: 1, statementTimeoutMs: 100 });
  opened.push(close);
  // Longer than a silent connection would be waited for.
  const end = performance.now() + 8_000;
  const ask = async (): Promise<void> => {
    while (performance.now() < end) await db.execute(sql`select 1`);
  };
  await expect(Promise.all(Array.from({ length: 8 }, ask))).resolves.toHaveLength(8);
}, NOTICED_WITHIN_MS);

it('a listener whose network is gone without a word listens again', async () => {
  const proxy = await openProxy();
  const heard = await listen(proxy.url);
  proxy.silence();
  await wait(1_000);
  proxy.heal();
  await vi.waitFor(() => expect(heard.begun()).toBe(2), { timeout: NOTICED_WITHIN_MS });
  await heard.hears('again');
}, NOTICED_WITHIN_MS);

it('a listener waits for a database that is away, and listens again', async () => {
  const proxy = await openProxy();
  const heard = await listen(proxy.url);
  proxy.refuse();
  await wait(2_000);
  proxy.heal();
  await vi.waitFor(() => expect(heard.begun()).toBe(2), { timeout: NOTICED_WITHIN_MS });
  await heard.hears('after the break');
}, NOTICED_WITHIN_MS);

async function listen(url: string) {
  const connection = connect(url, { poolSize: 1, statementTimeoutMs: 500 });
  opened.push(connection.close);
  const messages: string[] = [];
  let begun = 0;
  await connection.listen(CHANNEL, (message) => messages.push(message), () => begun++);
  return {
    begun: () => begun,
    hears: async (message: string) => {
      await database.db.execute(sql`select pg_notify(${CHANNEL}, ${message})`);
      await vi.waitFor(() => expect(messages).toContain(message));
    },
  };
}

async function openProxy(): Promise<DatabaseProxy> {
  const proxy = await DatabaseProxy.open(database.url);
  opened.push(async () => await proxy.close());
  return proxy;
}

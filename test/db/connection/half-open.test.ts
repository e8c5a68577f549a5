import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, type TestContext, vi } from 'vitest';
import { connect } from '../../../src/db/connection/connect.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import { isConnectionLost } from '../../../src/db/errors/connection-lost.ts';
import { DatabaseProxy } from '../../support/database-proxy.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

/** Longer than the service waits for a silent connection. */
const NOTICED_WITHIN_MS = 30_000;
/**
 * After the network is back: 3 s of silence, 1 s to ask PostgreSQL about the connection, and 2 s for a busy machine.
 */
const LOST_WITHIN_MS = 6_000;
const STATEMENT_TIMEOUT_MS = 15_000;
/** The driver notices some turns of the event loop later. */
const RECONNECTED_AFTER_MS = 50;
const CHANNEL = 'half_open';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

// Concurrent, because these tests mostly wait.
describe.concurrent('a connection whose network fails silently', () => {
  // docs/reliability-tests.md: 94
  it.for<[string, (db: Database) => Promise<unknown>]>([
    ['a statement', async (db) => await db.execute(sql`select pg_sleep(0.2)`)],
    [
      'a statement pipelined after an answered one',
      async (db) => await Promise.all([db.execute(sql`select 1`), db.execute(sql`select pg_sleep(0.2)`)]),
    ],
    [
      'a statement of a transaction',
      async (db) => await db.transaction(async (transaction) => await transaction.execute(sql`select pg_sleep(0.2)`)),
    ],
    [
      'a statement of a transaction pipelined after an answered one',
      async (db) =>
        await db.transaction(
          async (transaction) =>
            await Promise.all([transaction.execute(sql`select 1`), transaction.execute(sql`select pg_sleep(0.2)`)]),
        ),
    ],
    ['the end of a transaction', async (db) => await db.transaction(async () => await wait(200))],
  ])('fails %s soon after the network is back', { timeout: NOTICED_WITHIN_MS }, async ([, work], test) => {
    const { proxy, db } = await openPool(test, 1);
    const fate = outcomeOf(work(db));
    await wait(100);
    await silenceFor(proxy, 500);
    const healedAtMs = performance.now();
    expect(await fate).toBe('lost');
    expect(performance.now() - healedAtMs).toBeLessThan(LOST_WITHIN_MS);
    await vi.waitFor(async () => expect(await db.execute(sql`select 1 as one`)).toEqual([{ one: 1 }]));
  });

  it(
    'releases its locks',
    async (test) => {
      const { proxy, db } = await openPool(test, 2);
      const lock = sql`select pg_advisory_xact_lock(1)`;
      const fate = outcomeOf(
        db.transaction(async (transaction) => {
          await transaction.execute(lock);
          await wait(200);
          await transaction.execute(sql`select 1`);
        }),
      );
      await wait(100);
      await silenceFor(proxy, 500);
      expect(await fate).toBe('lost');
      const startedAtMs = performance.now();
      await vi.waitFor(async () => await db.transaction(async (transaction) => await transaction.execute(lock)), {
        timeout: LOST_WITHIN_MS,
      });
      expect(performance.now() - startedAtMs).toBeLessThan(LOST_WITHIN_MS / 2);
    },
    NOTICED_WITHIN_MS,
  );

  // docs/reliability-tests.md: 94
  it(
    'releases the locks of a statement that PostgreSQL has only parsed, if it could not be asked before',
    async (test) => {
      const { proxy, db } = await openPool(test, 1, 500);
      const lock = sql`select pg_advisory_xact_lock(2)`;
      const fate = outcomeOf(
        db.transaction(async (transaction) => {
          await transaction.execute(lock);
          proxy.delay(200);
          await transaction.execute(sql`select ${'a new statement with a parameter'}::text`);
        }),
      );
      await vi.waitFor(async () => expect(await parsedOnly()).toBe(1), { interval: 10 });
      proxy.silence();
      expect(await fate).toBe('lost');
      expect(await parsedOnly()).toBe(1);
      proxy.heal();
      await vi.waitFor(async () => expect(await parsedOnly()).toBe(0), { timeout: LOST_WITHIN_MS });
      await db.transaction(async (transaction) => await transaction.execute(lock));
    },
    NOTICED_WITHIN_MS,
  );

  it(
    'has the idle connections replaced too',
    async (test) => {
      const { proxy, db } = await openPool(test, 2);
      const silence = silenceFor(proxy, 500);
      const fate = outcomeOf(db.execute(sql`select 1`));
      await silence;
      expect(await fate).toBe('lost');
      const startedAtMs = performance.now();
      await wait(RECONNECTED_AFTER_MS);
      expect(
        await Promise.all([1, 2].map(async (number) => await outcomeOf(db.execute(sql`select ${number}`)))),
      ).toEqual(['answered', 'answered']);
      expect(performance.now() - startedAtMs).toBeLessThan(LOST_WITHIN_MS / 2);
    },
    NOTICED_WITHIN_MS,
  );

  it(
    'is given up eventually if PostgreSQL cannot be asked about it',
    async (test) => {
      const { proxy, db } = await openPool(test, 1, 500);
      proxy.silence();
      expect(await outcomeOf(db.execute(sql`select 1`))).toBe('lost');
    },
    NOTICED_WITHIN_MS,
  );
});

describe.concurrent('a connection that works', () => {
  // Longer than the service waits for a silent connection: 5 s after the timeout of a statement.
  const longMs = 6_500;

  it(
    'is not treated as silent if it is never idle',
    async (test) => {
      const { db } = await openPool(test, 1, 100);
      const end = performance.now() + longMs;
      const ask = async (): Promise<void> => {
        while (performance.now() < end) await db.execute(sql`select pg_sleep(0.01)`);
      };
      await expect(Promise.all(Array.from({ length: 8 }, ask))).resolves.toHaveLength(8);
    },
    NOTICED_WITHIN_MS,
  );

  it(
    'is not treated as silent if its statement takes long, or its transaction waits for the client',
    async (test) => {
      const { db } = await openPool(test, 2);
      const pause = db.transaction(async (transaction) => {
        await transaction.execute(sql`select 1`);
        await wait(longMs);
        await transaction.execute(sql`select 1`);
      });
      expect(
        await Promise.all([outcomeOf(db.execute(sql`select pg_sleep(${longMs / 1_000})`)), outcomeOf(pause)]),
      ).toEqual(['answered', 'answered']);
    },
    NOTICED_WITHIN_MS,
  );

  it(
    'is not given up while its transaction waits for the client, however long',
    async (test) => {
      const { db } = await openPool(test, 1, 500);
      const pause = db.transaction(async (transaction) => {
        await transaction.execute(sql`set local idle_in_transaction_session_timeout = 0`);
        await wait(longMs);
        return await transaction.execute(sql`select 1`);
      });
      expect(await outcomeOf(pause)).toBe('answered');
    },
    NOTICED_WITHIN_MS,
  );
});

describe.concurrent('a listener', () => {
  // docs/reliability-tests.md: 94
  it(
    'listens again after its network has failed silently',
    async (test) => {
      const proxy = await openProxy(test);
      const heard = await listen(test, proxy.url);
      proxy.silence();
      await wait(1_000);
      proxy.heal();
      await vi.waitFor(() => expect(heard.begun()).toBe(2), { timeout: NOTICED_WITHIN_MS });
      await heard.hears('again');
    },
    NOTICED_WITHIN_MS,
  );

  it(
    'waits for a database that cannot be reached, and listens again',
    async (test) => {
      const proxy = await openProxy(test);
      const heard = await listen(test, proxy.url);
      proxy.refuse();
      await wait(2_000);
      proxy.heal();
      await vi.waitFor(() => expect(heard.begun()).toBe(2), { timeout: NOTICED_WITHIN_MS });
      await heard.hears('after the break');
    },
    NOTICED_WITHIN_MS,
  );
});

/** Opens a pool through a proxy. All its connections have executed a statement. */
async function openPool(test: TestContext, poolSize: number, statementTimeoutMs = STATEMENT_TIMEOUT_MS) {
  const proxy = await openProxy(test);
  const { db, close } = connect(proxy.url, { poolSize, statementTimeoutMs });
  test.onTestFinished(close);
  await Promise.all(Array.from({ length: poolSize }, async () => await db.execute(sql`select pg_sleep(0.05)`)));
  return { proxy, db };
}

/** How many backends have parsed the statement of that test, and wait for its parameters. */
async function parsedOnly(): Promise<number> {
  const [row] = await database.db.execute<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity
    where query = 'select $1::text' and state = 'active' and wait_event = 'ClientRead'`);
  return row!.count;
}

async function silenceFor(proxy: DatabaseProxy, ms: number): Promise<void> {
  proxy.silence();
  await wait(ms);
  proxy.heal();
}

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'answered',
    (error: Error) => (isConnectionLost(error) ? 'lost' : error.message),
  );
}

async function listen(test: TestContext, url: string) {
  const connection = connect(url, { poolSize: 1, statementTimeoutMs: 500 });
  test.onTestFinished(connection.close);
  const messages: string[] = [];
  let begun = 0;
  await connection.listen(
    CHANNEL,
    (message) => messages.push(message),
    () => begun++,
  );
  return {
    begun: () => begun,
    hears: async (message: string) => {
      await database.db.execute(sql`select pg_notify(${CHANNEL}, ${message})`);
      await vi.waitFor(() => expect(messages).toContain(message));
    },
  };
}

async function openProxy(test: TestContext): Promise<DatabaseProxy> {
  const proxy = await DatabaseProxy.open(database.url);
  test.onTestFinished(async () => await proxy.close());
  return proxy;
}

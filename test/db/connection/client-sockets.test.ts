import { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it, type TestContext, vi } from 'vitest';
import { ClientSockets } from '../../../src/db/connection/client-sockets.ts';
import { connect } from '../../../src/db/connection/connect.ts';
import { ofMerchant } from '../../../src/db/connection/database.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { openTlsProxy } from '../../support/tls-proxy.ts';

/** The kernel refuses TCP connections to it at once, without a packet. */
const WITHOUT_ROUTE = '255.255.255.255';
const SETTLED_WITHIN_MS = 3_000;
const RUNNING_AFTER_MS = 100;
/** The driver notices some turns of the event loop later. */
const RECONNECTED_AFTER_MS = 50;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

describe('an address that cannot be connected to', () => {
  it.each(['', '?sslmode=require'])('fails the statement, not the process: %s', async (query) => {
    const { db } = openPool(`postgres://commerce@${WITHOUT_ROUTE}:5432/commerce${query}`);
    for (let repeat = 0; repeat < 2; repeat++)
      expect(await outcomeOf(db.execute(sql`select 1`))).toMatchObject({ cause: { code: 'ENETUNREACH' } });
  });

  it('delays a cancel request only', async () => {
    // The driver's connections go to the hosts in turn.
    const { host } = new URL(database.url);
    const { db } = openPool(database.url.replace(host, `${host},${WITHOUT_ROUTE}:5432`));
    const { isGone } = await cancelled(db);
    expect(isGone).toBe(true);
    expect(await db.execute(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });
});

describe('with TLS', () => {
  it('repeats a cancel request whose connection ends before the server has answered', async (test) => {
    const proxy = await openTlsProxy(test, database.url);
    const { db } = openPool(proxy.url);
    const { isGone } = await cancelled(db, () => proxy.refuseNext());
    expect([isGone, proxy.refused()]).toEqual([true, 1]);
    expect(await db.execute(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });

  it('hears from the connection of statements, also from its successor, and not from cancel requests', async (test) => {
    const proxy = await openTlsProxy(test, database.url);
    const { client, sockets } = openClient(test, proxy.url);
    const isHeard = (): boolean => {
      const nowMs = performance.now();
      return sockets.updateLastReadMs(nowMs) === nowMs;
    };
    for (let round = 1; round <= 2; round++) {
      await client`select 1`;
      expect([isHeard(), isHeard()]).toEqual([true, false]);
      await client`select 1`;
      expect([isHeard(), isHeard()]).toEqual([true, false]);
      const lost = client`select pg_sleep(5)`.execute();
      await wait(RUNNING_AFTER_MS);
      proxy.silence();
      const { canceller } = lost as unknown as { canceller: (query: unknown) => Promise<void> };
      const cancelled = canceller(lost);
      // While the cancel request is open, and after it.
      await vi.waitFor(() => expect(proxy.served()).toBe(2 * round));
      expect(isHeard()).toBe(false);
      await cancelled;
      expect(isHeard()).toBe(false);
      sockets.destroy();
      await expect(lost).rejects.toThrow('Postgres did not answer.');
      await wait(RECONNECTED_AFTER_MS);
      isHeard();
    }
  });

  // The driver writes before the end of the socket below TLS has reached TLS.
  it('fails the statement that is sent while its connection ends, not the process', async (test) => {
    const proxy = await openTlsProxy(test, database.url);
    const { client, sockets } = openClient(test, proxy.url);
    await client`select 1`;
    const lost = client`select pg_sleep(5)`.execute();
    await wait(RUNNING_AFTER_MS);
    sockets.destroy();
    await expect(lost).rejects.toThrow('Postgres did not answer.');
    await expect(client`select 2`).rejects.toThrow('CONNECTION_CLOSED');
    expect(await client`select 3 as n`).toEqual([{ n: 3 }]);
  });
});

const pools: { close: () => Promise<void> }[] = [];
afterAll(async () => await Promise.all(pools.map(async ({ close }) => await close())));

function openPool(url: string) {
  const pool = connect(url, { poolSize: 1, statementTimeoutMs: 10_000 });
  pools.push(pool);
  return pool;
}

/** A client of the driver with one connection. */
function openClient(test: TestContext, url: string) {
  const sockets = new ClientSockets();
  const client = postgres(url, { max: 1, backoff: false, socket: sockets.connect } as object);
  test.onTestFinished(async () => await client.end({ timeout: 0 }));
  return { client, sockets };
}

/** Runs a long statement and disconnects its client. `beforeCancel` is called while it runs. */
async function cancelled(db: ReturnType<typeof openPool>['db'], beforeCancel = () => {}) {
  const client = new EventEmitter();
  const statement = outcomeOf(ofMerchant(db, 'a', client).execute(sql`select pg_sleep(8), 'cancelled'`));
  const isRunning = sql`
    select from pg_stat_activity where datname = current_database() and state = 'active'
      and query like '%pg_sleep(8), ''cancelled''%' and pid <> pg_backend_pid()`;
  await vi.waitFor(async () => expect(await database.db.execute(isRunning)).toHaveLength(1));
  beforeCancel();
  setImmediate(() => client.emit('close'));
  return { isGone: ((await statement) as { cause?: { code: string } })?.cause?.code === 'CLIENT_GONE' };
}

/** The error of `work`, or what it returned, or 'nothing' if it has not settled in time. */
async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  return await Promise.race([work, wait(SETTLED_WITHIN_MS, 'nothing')]).catch((error: unknown) => error);
}

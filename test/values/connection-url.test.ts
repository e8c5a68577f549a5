import { once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import { connect, connectOnce } from '../../src/db/connection/connect.ts';
import { openQueue } from '../../src/worker/webhooks/queue.ts';
import { silent } from '../image/log.ts';
import { isConnectionLost } from '../../src/db/errors/connection-lost.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { openTlsProxy } from '../support/tls-proxy.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('connects to an IPv6 address: pool, LISTEN, the connection of migrations, and the queue', async (test) => {
  const url = await forwardFromIPv6(test);
  const pool = connect(url, { poolSize: 1, statementTimeoutMs: 10_000 });
  test.onTestFinished(async () => await pool.close());
  expect(await pool.db.execute(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  await pool.listen('channel', () => undefined);
  const client = connectOnce(url);
  test.onTestFinished(async () => await client.end({ timeout: 0 }));
  expect(await client`select 1 as one`).toEqual([{ one: 1 }]);
  await (await openQueue(url, silent)).close();
});

it.for(['require', 'prefer', 'verify-full'])(
  'reads sslmode=%s alike for the pool and for the queue',
  async (mode, test) => {
    const { url } = await openTlsProxy(test, database.url, mode);
    const pool = connect(url, { poolSize: 1, statementTimeoutMs: 10_000 });
    test.onTestFinished(async () => await pool.close());
    const outcomes = await Promise.all([
      outcomeOf(async () => await pool.db.execute(sql`select 1`)),
      outcomeOf(async () => await (await openQueue(url, silent)).close()),
    ]);
    const outcome = mode === 'verify-full' ? 'DEPTH_ZERO_SELF_SIGNED_CERT' : 'done';
    expect(outcomes).toEqual([outcome, outcome]);
  },
);

async function outcomeOf(work: () => Promise<unknown>): Promise<unknown> {
  return await work().then(
    () => 'done',
    (error) => {
      if (!isConnectionLost(error)) throw error;
      return (error.cause ?? error).code;
    },
  );
}

/** Listens on ::1, where the PostgreSQL of the tests does not. */
async function forwardFromIPv6(test: TestContext): Promise<string> {
  const url = new URL(database.url);
  const { hostname, port } = url;
  const server = createServer((near) => {
    const far = connectTo(Number(port), hostname);
    near.on('error', () => far.destroy()).pipe(far);
    far.on('error', () => near.destroy()).pipe(near);
  }).listen(0, '::1');
  await once(server, 'listening');
  test.onTestFinished(() => void server.close());
  url.host = `[::1]:${(server.address() as AddressInfo).port}`;
  return url.href;
}

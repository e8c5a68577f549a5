import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { connect } from '../../src/db/connect.ts';
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
  const network = await openNetwork();
  const { db, close } = connect(network.url, { poolSize: 2, statementTimeoutMs: 500 });
  opened.push(close);
  await Promise.all([1, 2].map(async () => await db.execute(sql`select pg_sleep(0.05)`)));
  network.fail();
  const fates = Promise.all([1, 2].map(async () => await db.execute(sql`select 1`).then(() => 'answered', (error: Error) => (error.cause as Error).message)));
  await network.failsFor(1_000);
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
  const network = await openNetwork();
  const heard = await listen(network.url);
  network.fail();
  await network.failsFor(1_000);
  await vi.waitFor(() => expect(heard.begun()).toBe(2), { timeout: NOTICED_WITHIN_MS });
  await heard.hears('again');
}, NOTICED_WITHIN_MS);

it('a listener waits for a database that is away, and listens again', async () => {
  const network = await openNetwork();
  const heard = await listen(network.url);
  await network.refusesFor(2_000);
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

/** The way to Postgres, which can go away: silently, or refusing whoever comes. */
async function openNetwork() {
  const target = new URL(database.url);
  let ways: Socket[] = [];
  let isRefusing = false;
  let isFailing = false;
  const server = createServer((near) => {
    if (isRefusing) return near.destroy();
    if (isFailing) return near.pause();
    const far = createConnection({ host: target.hostname, port: Number(target.port) });
    for (const [from, to] of [[near, far], [far, near]] as const) {
      from.on('error', () => to.destroy()).on('close', () => to.destroy()).pipe(to);
    }
    ways.push(near, far);
    return near;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const destroyAll = (): void => ways.splice(0).forEach((way) => way.destroy());
  const after = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));
  opened.push(async () => {
    destroyAll();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: Object.assign(new URL(database.url), { hostname: '127.0.0.1', port: String(port) }).href,
    /** Nothing that is open now ever carries a byte again. */
    fail: () => {
      isFailing = true;
      for (const way of ways) way.unpipe().pause();
    },
    failsFor: async (ms: number) => {
      await after(ms);
      isFailing = false;
    },
    refusesFor: async (ms: number) => {
      isRefusing = true;
      destroyAll();
      await after(ms);
      isRefusing = false;
    },
  };
}

import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, type TestContext, vi } from 'vitest';
import { ClientSockets } from '../../../src/db/connection/client-sockets.ts';
import { connectOnce } from '../../../src/db/connection/connect.ts';
import { ConnectionWatch, type WatchedClient } from '../../../src/db/connection/connection-watch.ts';
import type { Pool } from '../../../src/db/connection/pool.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

/** The time that the service's question takes counts as silence too. */
const FAILOVER_MS = 1_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it.concurrent('ends the backend of a connection that went silent', async (test) => {
  const backend = await openTransaction(test);
  const watched = watch(test);
  watched.backend = { pid: backend.pid };
  await watched.checked;
  await vi.waitFor(async () => expect(await backend.isAlive()).toBe(false));
});

// After a failover the numbers of the backends are those of another server.
it.concurrent('leaves a backend alone that began after the connection with its number went silent', async (test) => {
  const watched = watch(test);
  await vi.waitFor(() => expect(watched.silentSinceMs).toBeTypeOf('number'));
  await wait(FAILOVER_MS);
  const backend = await openTransaction(test);
  watched.backend = { pid: backend.pid };
  await watched.checked;
  // PostgreSQL ends a process some time after it is told to.
  await wait(FAILOVER_MS);
  expect(await backend.isAlive()).toBe(true);
});

/** A session that is idle in a transaction. */
async function openTransaction(test: TestContext) {
  const client = connectOnce(database.url);
  test.onTestFinished(async () => await client.end({ timeout: 0 }));
  await client.unsafe('begin');
  const [{ pid } = { pid: 0 }] = await client<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const isAlive = async (): Promise<boolean> =>
    (await database.owner.execute(sql`select from pg_stat_activity where pid = ${pid}`)).length > 0;
  return { pid, isAlive };
}

/** Watches a connection in a transaction, from which nothing is heard. `checked` resolves after it was replaced. */
function watch(test: TestContext): WatchedClient & { silentSinceMs?: number; checked: Promise<void> } {
  const client = connectOnce(database.url);
  const [destroyed, checked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const sockets = { updateLastReadMs: () => 0, heardAtMs: 0, destroy: destroyed.resolve } as unknown as ClientSockets;
  const pool = { lentClients: () => new Map([[client, Infinity]]), refuseWaiting: () => {} } as unknown as Pool;
  const watched = { client, sockets, backend: null, transaction: { unanswered: 1 }, checked: checked.promise };
  const watch = new ConnectionWatch(pool, [watched], { url: database.url, open, endedAfterMs: 60_000 });
  test.onTestFinished(() => watch.stop());
  return watched;

  function open() {
    const check = connectOnce(database.url);
    const end = check.end.bind(check);
    check.end = async (options) => {
      await end(options);
      await destroyed.promise;
      checked.resolve();
    };
    return { client: check, sockets: new ClientSockets() };
  }
}

import { createConnection, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { run } from '../../support/process.ts';

/** Statements of a transaction that the driver sends before it waits for answers. */
const PIPELINED_MAX = 100;
const CONNECT_TIMEOUT_S = 2;
const SETTLED_WITHIN_MS = 5_000;
const LOST = new Error('The network is gone.');

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Each of these tests fails without its part of patches/postgres+*.patch, which describes the faults. */
describe('a client of the driver', () => {
  it('works again after a connection that was lost before a statement was written to it', async (test) => {
    const { client, lose } = await openClient(test);
    // Sockets close between two turns of the event loop. The driver writes in the later one.
    await nextTurn();
    lose();
    const lost = client`select 2`.execute();
    await expect(lost).rejects.toThrow('CONNECTION_CLOSED');
    expect(await outcomeOf(client`select 3 as n`)).toEqual([{ n: 3 }]);
  });

  it('fails a statement that it takes between the error of a connection and its end', async (test) => {
    const { client, lose } = await openClient(test);
    const statement = client`select pg_sleep(5)`;
    const next = statement.catch(async () => await client`select 1`);
    await wait(50);
    lose(LOST);
    expect(await outcomeOf(next)).toMatch(/CONNECTION_CLOSED/);
    expect(await outcomeOf(client`select 3 as n`)).toEqual([{ n: 3 }]);
  });

  it('does not report the error of an earlier connection for a later statement', async (test) => {
    const { client, backend } = await openClient(test);
    const ended = outcomeOf(client`select pg_sleep(5)`);
    await wait(50);
    await database.owner.execute(`select pg_terminate_backend(${backend})`);
    expect(await ended).toMatch(/CONNECTION_CLOSED|terminating connection/);
    expect(await outcomeOf(client`select 3 as n`)).toEqual([{ n: 3 }]);
  });

  it('fails the statements of a lost transaction that were not sent yet', async (test) => {
    const { client, lose } = await openClient(test);
    let statements: Promise<unknown>[] = [];
    const transaction = client.begin(async (sql) => {
      statements = Array.from({ length: 2 * PIPELINED_MAX }, async () => await sql`select pg_sleep(0.1)`);
      setTimeout(lose, 50);
      await Promise.allSettled(statements);
    });
    await expect(transaction).rejects.toThrow('CONNECTION_CLOSED');
    const settled = Promise.allSettled(statements).then((all) => new Set(all.map(({ status }) => status)));
    expect(await outcomeOf(settled)).toEqual(new Set(['rejected']));
  });

  it('sends nothing of a lost transaction on the next connection', async (test) => {
    const { client, lose } = await openClient(test);
    const transaction = client.begin(async (sql) => {
      await sql`select 1`;
      lose();
      await wait(50);
      await client`select 1`;
      await sql`select set_config('application_name', 'written', false)`;
    });
    await expect(transaction).rejects.toThrow('CONNECTION_CLOSED');
    await wait(200);
    expect(await client`select current_setting('application_name') as name`).not.toEqual([{ name: 'written' }]);
  });

  it('fails when the server ends each connection before it is ready', async (test) => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket
        .once('data', () => socket.end())
        .resume()
        .on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = postgres({ host: '127.0.0.1', port: (server.address() as { port: number }).port, max: 1 });
    test.onTestFinished(async () => {
      await client.end({ timeout: 0 });
      server.close();
    });
    expect(await outcomeOf(client`select 1`)).toMatch(/CONNECTION_CLOSED/);
    expect(connections).toBe(1);
  });
});

describe('the service', () => {
  it.each([
    ['src/main.ts', []],
    ['src/cli/admin.ts', ['migrate']],
  ])('refuses a driver without the patch: %s', async (file, args) => {
    const environment = {
      DATABASE_URL: database.url,
      SECRET_KEY: '0'.repeat(64),
      NODE_OPTIONS: `--import=${new URL('./without-patch.ts', import.meta.url).href}`,
    };
    // From the source: the bundle contains the driver.
    const { code, stderr } = await run(file, args, environment, process.cwd()).finished;
    expect([code, stderr]).toEqual([1, expect.stringContaining('The PostgreSQL driver lacks its patch.')]);
  });
});

/** A client with one open connection. `lose` destroys its socket. */
async function openClient(test: TestContext) {
  const { hostname, port } = new URL(database.url);
  let socket: Socket;
  const settings = {
    max: 1,
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: false,
    socket: () => (socket = createConnection(Number(port), hostname)),
  };
  const client = postgres(database.url, settings);
  test.onTestFinished(async () => await client.end({ timeout: 0 }));
  const [row] = await client<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return { client, backend: row!.pid, lose: (error?: Error) => void socket.destroy(error) };
}

/** The result of `work`, or the message of its error. */
async function outcomeOf(work: PromiseLike<unknown>): Promise<unknown> {
  return await Promise.race([work, wait(SETTLED_WITHIN_MS, 'nothing')]).catch((error: Error) => error.message);
}

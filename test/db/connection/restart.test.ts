import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { connect, type Connection } from '../../../src/db/connection/connect.ts';
import { PostgresServer } from '../../support/postgres-server.ts';

const POOL_SIZE = 4;
const BIG = 'x'.repeat(2_000);

let server: PostgresServer;
let connection: Connection;

beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.remove());
beforeEach(() => {
  connection = connect(server.url, { poolSize: POOL_SIZE, statementTimeoutMs: 10_000 });
});
afterEach(() => connection.close());

/**
 * Without patches/postgres+*.patch connections stay closed, statements wait for ever, and the process ends by an error
 * that cannot be caught. driver-patch.test.ts has a test for each of these faults.
 */
describe('when Postgres restarts under load', () => {
  // docs/reliability-tests.md: 93
  it('every statement ends, and all connections of the pool serve again', async () => {
    const load = startLoad();
    try {
      for (let round = 0; round < 3; round++) {
        await load.answersMore(200);
        await server.kill();
        await server.start();
        await load.answersMore(200);
        await vi.waitFor(expectWholePool, { timeout: 10_000 });
      }
    } finally {
      await load.stop();
    }
    expect(load.failures).toBeGreaterThan(0);
  });
});

describe('a transaction whose connection is lost', () => {
  beforeEach(async () => {
    await connection.db.execute(sql`drop table if exists written`);
    await connection.db.execute(sql`create table written (who text)`);
  });

  it('writes nothing more, also if the pool connects again', async () => {
    const lost = connection.db.transaction(async (transaction) => {
      await transaction.execute(sql`insert into written values ('before')`);
      await terminate(await backendOf(transaction));
      await vi.waitFor(async () => expect(await countConnections()).toBe(POOL_SIZE), { timeout: 10_000 });
      await transaction.execute(sql`insert into written values ('after')`);
    });
    await expect(lost).rejects.toMatchObject({ code: expect.stringMatching(/^(CONNECTION_CLOSED|57P01)$/) });
    expect(await connection.db.execute(sql`select who from written`)).toEqual([]);
  });

  // docs/reliability-tests.md: 15
  it('rolls back no other transaction', async () => {
    const lost = Array.from({ length: POOL_SIZE }, async () => {
      await connection.db.transaction(async (transaction) => {
        await terminate(await backendOf(transaction));
        await transaction.execute(sql`insert into written values ('lost')`);
      });
    });
    const kept = Array.from({ length: 50 }, async () => {
      await connection.db.transaction(async (transaction) => {
        await transaction.execute(sql`insert into written values ('kept')`);
        await transaction.execute(sql`select pg_sleep(0.01)`);
      });
    });
    expect((await Promise.allSettled(lost)).map(({ status }) => status)).toEqual(Array(POOL_SIZE).fill('rejected'));
    const fulfilled = (await Promise.allSettled(kept)).filter(({ status }) => status === 'fulfilled').length;
    const [row] = await connection.db.execute<{ kept: number; lost: number }>(sql`
      select count(*) filter (where who = 'kept')::int as kept, count(*) filter (where who = 'lost')::int as lost from written`);
    expect(row).toEqual({ kept: fulfilled, lost: 0 });
  });
});

/** Sends small and large statements and transactions, from more callers than the pool has connections. */
function startLoad() {
  const load = { answers: 0, failures: 0, isStopping: false };
  const once: (() => Promise<unknown>)[] = [
    () => connection.db.execute(sql`select ${1}::int`),
    () => connection.db.execute(sql`select ${BIG}::text`),
    () =>
      connection.db.transaction(async (transaction) => {
        await transaction.execute(sql`select ${1}::int`);
        await transaction.execute(sql`select ${BIG}::text`);
      }),
  ];
  const callers = Array.from({ length: 24 }, async (_, index) => {
    while (!load.isStopping) {
      await once[index % once.length]!().then(
        () => load.answers++,
        async () => {
          load.failures++;
          await nextTurn();
        },
      );
    }
  });
  return {
    get failures() {
      return load.failures;
    },
    answersMore: async (count: number) => {
      const wanted = load.answers + count;
      await vi.waitFor(() => expect(load.answers).toBeGreaterThanOrEqual(wanted), { timeout: 15_000, interval: 20 });
    },
    stop: async () => {
      load.isStopping = true;
      await Promise.all(callers);
    },
  };
}

/** Expects that each connection of the pool executes a statement at the same time. */
async function expectWholePool(): Promise<void> {
  const backends = await Promise.all(
    Array.from({ length: POOL_SIZE }, () =>
      connection.db.transaction(async (transaction) => {
        const backend = await backendOf(transaction);
        await transaction.execute(sql`select pg_sleep(0.3)`);
        return backend;
      }),
    ),
  );
  expect(new Set(backends).size).toBe(POOL_SIZE);
}

async function backendOf(db: Pick<Connection['db'], 'execute'>): Promise<number> {
  const [row] = await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  return row!.pid;
}

async function terminate(backend: number): Promise<void> {
  const other = connect(server.url, { poolSize: 1, statementTimeoutMs: 10_000 });
  await other.db.execute(sql`select pg_terminate_backend(${backend}::int, 5000)`);
  await other.close();
}

async function countConnections(): Promise<number> {
  await Promise.all(Array.from({ length: POOL_SIZE }, () => connection.db.execute(sql`select pg_sleep(0.05)`)));
  const rows = await connection.db.execute(sql`
    select from pg_stat_activity where application_name = 'commerce-administration' and backend_type = 'client backend'`);
  return rows.length;
}

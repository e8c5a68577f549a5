import { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { connect, type Connection } from '../../../src/db/connection/connect.ts';
import { ofMerchant } from '../../../src/db/connection/database.ts';
import { connectionsPerMerchant } from '../../../src/db/connection/pool.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

/** Statements that the driver sends on one connection before it waits for answers. */
const PIPELINE_MAX = 100;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await database.owner.execute(sql`create table written (who text)`);
  await database.owner.execute(sql`grant all on written to public`);
});
afterAll(() => database.drop());

it('a transaction has a connection for itself, however many statements are sent at the same time', async () => {
  for (let count = 2 * PIPELINE_MAX - 3; count <= 2 * PIPELINE_MAX + 3; count++) {
    const connection = connect(database.url, { poolSize: 2, statementTimeoutMs: 10_000 });
    const { db } = connection;
    await Promise.all([1, 2].map(() => db.execute(sql`select pg_sleep(0.05)`)));
    // Drizzle sends a statement when it is awaited.
    const statement = async () => await db.execute(sql`select length(${'x'}::text)`);
    for (let warm = 0; warm < 2; warm++) await Promise.all([statement(), statement()]);
    const statements = Array.from({ length: count }, statement);
    // The driver sends them in this turn of the event loop, before it reads an answer.
    for (let step = 0; step < 10; step++) await Promise.resolve();
    const undone = db.transaction(async (transaction) => {
      await transaction.execute(sql`insert into written values ('undone')`);
      throw new Error('on purpose');
    });
    await expect(undone).rejects.toThrow('on purpose');
    await Promise.all(statements);
    expect(
      await db.execute(
        sql`select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
      ),
    ).toHaveLength(0);
    await connection.close();
  }
  expect(await database.db.execute(sql`select from written`)).toHaveLength(0);
});

describe('connections that merchants share', () => {
  const POOL_SIZE = 4;
  let connection: Connection;
  beforeEach(() => {
    connection = connect(database.url, { poolSize: POOL_SIZE, statementTimeoutMs: 10_000 });
  });
  afterEach(() => connection.close());

  const sleep = async (merchantId: string, seconds: number, client?: EventEmitter): Promise<unknown> =>
    await ofMerchant(connection.db, merchantId, client ?? null).execute(
      sql`select pg_sleep(${seconds}::float8), ${merchantId}::text as "merchant"`,
    );
  const runningOf = async (): Promise<number> => {
    const rows = await database.db.execute(
      sql`select from pg_stat_activity where datname = current_database() and state = 'active' and query like '%pg_sleep%' and pid <> pg_backend_pid()`,
    );
    return rows.length;
  };

  it('are used by one merchant except one, which stays free for others', async () => {
    const many = Array.from({ length: 40 }, async () => await sleep('a', 0.1));
    await vi.waitFor(async () => expect(await runningOf()).toBe(connectionsPerMerchant(POOL_SIZE)));
    const answered = await Promise.race([sleep('b', 0).then(() => 'b'), Promise.all(many).then(() => 'a')]);
    expect(answered).toBe('b');
    await Promise.all(many);
  });

  it('go to waiting merchants round robin', async () => {
    const order: string[] = [];
    const hold = ['a', 'b', 'c', 'd'].map(async (merchant) => await sleep(merchant, 0.3));
    await vi.waitFor(async () => expect(await runningOf()).toBe(POOL_SIZE));
    const waiting = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1'].map(async (name) => {
      await sleep(name[0]!, 0.05);
      order.push(name);
    });
    await Promise.all([...hold, ...waiting]);
    expect(order.indexOf('b1')).toBeLessThan(order.indexOf('a6'));
  });

  it('are held by transactions, which count as statements', async () => {
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const held = Array.from(
      { length: POOL_SIZE + 2 },
      async () =>
        await ofMerchant(connection.db, 'a').transaction(async (transaction) => {
          await transaction.execute(sql`select 1`);
          await ended;
        }),
    );
    await sleep('b', 0);
    const others = Array.from({ length: 20 }, async () => await sleep('b', 0.001));
    await Promise.all(others);
    const idle = await database.db.execute(
      sql`select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
    );
    expect(idle).toHaveLength(connectionsPerMerchant(POOL_SIZE));
    end();
    await Promise.all(held);
  });

  // docs/reliability-tests.md: 31
  it('cancel the statements of a client that disconnects, and no others', async () => {
    const client = new EventEmitter();
    const gone = Array.from(
      { length: 30 },
      async () => await sleep('a', 5, client).catch((error: Error) => (error.cause as Error).message),
    );
    const kept = Array.from({ length: 10 }, async () => await sleep('a', 0.02));
    await vi.waitFor(async () => expect(await runningOf()).toBeGreaterThan(0));
    const startedMs = performance.now();
    client.emit('close');
    expect(new Set(await Promise.all(gone))).toEqual(new Set(['The client did not wait.']));
    expect(performance.now() - startedMs).toBeLessThan(3_000);
    await expect(Promise.all(kept)).resolves.toHaveLength(10);
    expect(await runningOf()).toBe(0);
  });

  it('cancel a statement of a client that disconnects after it was stopped by the cancel request of another', async () => {
    const single = connect(database.url, { poolSize: 1, statementTimeoutMs: 10_000 });
    const [first, second] = [new EventEmitter(), new EventEmitter()];
    const [gone, repeated] = [first, second].map(
      async (client) =>
        await ofMerchant(single.db, 'a', client)
          .execute(sql`select pg_sleep(5)`)
          .catch((error: Error) => (error.cause as Error).message),
    );
    const isOwn = sql`datname = current_database() and state = 'active' and query like 'select pg_sleep(5)%'`;
    const startAfter = async (before?: string): Promise<string> =>
      await vi.waitFor(async () => {
        const [row] = await database.db.execute<{ at: string }>(
          sql`select query_start::text as at from pg_stat_activity where ${isOwn}`,
        );
        expect([undefined, before]).not.toContain(row?.at);
        return row!.at;
      });
    const firstAt = await startAfter();
    first.emit('close');
    expect(await gone).toBe('The client did not wait.');
    const secondAt = await startAfter(firstAt);
    // As a cancel request of the first statement that arrives late.
    await database.owner.execute(sql`select pg_cancel_backend(pid) from pg_stat_activity where ${isOwn}`);
    await startAfter(secondAt);
    second.emit('close');
    expect(await repeated).toBe('The client did not wait.');
    await single.close();
  });

  it('cancel no statement of another client, however often clients disconnect', async () => {
    const endMs = performance.now() + 3_000;
    const leave = async (): Promise<void> => {
      while (performance.now() < endMs) {
        const client = new EventEmitter();
        const statements = Array.from({ length: 3 }, async () => await sleep('a', 0.01, client).catch(() => 'gone'));
        await wait(Math.random() * 20);
        client.emit('close');
        await Promise.all(statements);
      }
    };
    let answered = 0;
    const stay = async (merchant: string): Promise<void> => {
      while (performance.now() < endMs) {
        await sleep(merchant, 0.002);
        answered += 1;
      }
    };
    const save = async (): Promise<void> => {
      while (performance.now() < endMs)
        await ofMerchant(connection.db, 'a').transaction(
          async (transaction) => await transaction.execute(sql`select pg_sleep(0.002)`),
        );
    };
    await expect(
      Promise.all([leave(), leave(), leave(), stay('a'), stay('b'), stay('a'), save()]),
    ).resolves.toBeDefined();
    expect(answered).toBeGreaterThan(50);
  }, 10_000);

  it('give the next statement its own rows, if one is cancelled while its rows arrive', async () => {
    const { db } = connection;
    // This owner has only one connection, because others use the rest.
    for (let round = 0; round < 20; round++) {
      const client = new EventEmitter();
      const stopped = ofMerchant(db, 'a', client).execute(
        sql`select n, repeat('x', 100000), pg_sleep(0.002) from generate_series(1, 1000) as n`,
      );
      const ended = stopped.then(
        () => null,
        (error: unknown) => error,
      );
      await wait(40);
      client.emit('close');
      expect(await ended).toMatchObject({ cause: { code: 'CLIENT_GONE' } });
      const rows = await Promise.all(
        Array.from({ length: POOL_SIZE }, async () =>
          Array.from(await ofMerchant(db, 'a').execute(sql`select 1 as one`)),
        ),
      );
      expect(rows).toEqual(Array.from({ length: POOL_SIZE }, () => [{ one: 1 }]));
    }
  });

  it('do not send statements of a client that has disconnected', async () => {
    const client = Object.assign(new EventEmitter(), { destroyed: true });
    await expect(sleep('a', 5, client)).rejects.toMatchObject({ cause: { code: 'CLIENT_GONE' } });
  });

  it('end a transaction whose client sends nothing', async () => {
    const rows = await connection.db.execute(sql`show idle_in_transaction_session_timeout`);
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '6667ms' }]);
  });
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../../src/db/connection/connect.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import { testWrites } from '../../../src/db/connection/test-writes.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const FAILURES = 20;
const write = async (db: Database): Promise<unknown> => await db.execute(sql`delete from merchant where false`);
const ways: Record<string, (db: Database) => Promise<unknown>> = {
  'a statement': write,
  'a transaction': async (db) => await db.transaction(async (transaction) => await write(transaction)),
  'the test of writes': testWrites,
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

describe.each(Object.entries(ways))('a connection on which %s was refused as read-only', (_, work) => {
  it('is replaced, also while statements follow', async () => {
    await setReadOnly(true);
    const { db, close } = open();
    try {
      const before = await backendOf(db);
      await setReadOnly(false);
      const [refused, ...following] = await Promise.allSettled([
        work(db),
        ...Array.from({ length: 3 }, () => backendOf(db)),
      ]);
      expect([refused.status, ...following.map(({ status }) => status)]).toEqual([
        'rejected',
        ...Array(3).fill('fulfilled'),
      ]);
      expect(await backendOf(db)).not.toBe(before);
      await work(db);
    } finally {
      await close();
    }
  });

  it('is not replaced again and again while the server stays read-only', async () => {
    await setReadOnly(true);
    const { db, close } = open();
    try {
      const backends = new Set([await backendOf(db)]);
      for (let count = 0; count < FAILURES; count++) {
        expect((await Promise.allSettled([work(db)]))[0].status).toBe('rejected');
        backends.add(await backendOf(db));
      }
      expect(backends.size).toBe(2);
    } finally {
      await close();
    }
  });
});

function open() {
  return connect(database.url, { poolSize: 1, statementTimeoutMs: 10_000 });
}

/** For connections that are opened later. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const [name] = await database.owner.execute<{ name: string }>(sql`select current_database() as name`);
  await database.owner.execute(
    sql.raw(
      `set transaction_read_only = off; alter database "${name!.name}" set default_transaction_read_only = ${isReadOnly}`,
    ),
  );
}

async function backendOf(db: Database): Promise<number> {
  const [row] = await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  return row!.pid;
}

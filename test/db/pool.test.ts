import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../src/db/connect.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

/** The driver sends so many statements ahead on one connection. */
const PIPELINE_MAX = 100;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await database.db.execute(sql`create table written (who text)`);
});
afterAll(() => database.drop());

it('a transaction has a connection for itself, however many statements are under way', async () => {
  for (let count = 2 * PIPELINE_MAX - 3; count <= 2 * PIPELINE_MAX + 3; count++) {
    const connection = connect(database.url, { poolSize: 2, statementTimeoutMs: 10_000 });
    const { db } = connection;
    await Promise.all([1, 2].map(() => db.execute(sql`select pg_sleep(0.05)`)));
    // Drizzle sends a statement when it is awaited.
    const statement = async () => await db.execute(sql`select length(${'x'}::text)`);
    for (let warm = 0; warm < 2; warm++) await Promise.all([statement(), statement()]);
    const statements = Array.from({ length: count }, statement);
    // They are sent within this turn of the event loop, before any answer is read.
    for (let step = 0; step < 10; step++) await Promise.resolve();
    const undone = db.transaction(async (transaction) => {
      await transaction.execute(sql`insert into written values ('undone')`);
      throw new Error('on purpose');
    });
    await expect(undone).rejects.toThrow('on purpose');
    await Promise.all(statements);
    expect(await db.execute(sql`select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`)).toHaveLength(0);
    await connection.close();
  }
  expect(await database.db.execute(sql`select from written`)).toHaveLength(0);
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

/** Longer than the silence after which the state of a connection's server process is checked. */
const STATEMENT_S = 5;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** While the coordinator waits for a worker, `pg_stat_activity` says that it waits for the client. */
it('a statement that takes seconds on a worker is not treated as a lost connection', async () => {
  const { merchantId } = await createContext(database.db);
  const rows = await database.db.execute(sql`
    select pg_sleep(${STATEMENT_S}) from merchant where merchant_id = ${merchantId}`);
  expect(rows).toHaveLength(1);
});

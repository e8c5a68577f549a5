import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../../src/db/connection/connect.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const AGE_MS = 2_000;

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

it.concurrent.each([
  [1, 0],
  [null, 1],
])('with the lifetime %s, of one idle connection %i is open after two seconds', async (maxLifetimeS, open) => {
  const applicationName = `lifetime-${maxLifetimeS}`;
  const options = { poolSize: 1, statementTimeoutMs: 2_000, applicationName, maxLifetimeS };
  const connection = connect(database.url, options);
  try {
    await connection.db.execute('select 1');
    await new Promise((resolve) => setTimeout(resolve, AGE_MS));
    const found = await database.owner.execute(
      sql`select from pg_stat_activity where application_name = ${applicationName}`,
    );
    expect(found).toHaveLength(open);
  } finally {
    await connection.close();
  }
});

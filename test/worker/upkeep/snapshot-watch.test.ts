import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Logger } from '../../../src/context.ts';
import { connect } from '../../../src/db/connection/connect.ts';
import { snapshotWatch } from '../../../src/worker/upkeep/snapshot-watch.ts';
import { silent } from '../../image/log.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

/** More than the number of transactions from which it warns. */
const TRANSACTIONS = 10_500;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

// docs/reliability-tests.md: 95
it('warns once, with the holder, of a snapshot that is held for long while others change rows', async () => {
  const warnings: object[] = [];
  const log = { ...silent, warn: (details: object) => void warnings.push(details) } as Logger;
  const [soon, late] = [snapshotWatch(log, 0), snapshotWatch(log)];
  const holder = connect(database.ownerUrl, { poolSize: 1, statementTimeoutMs: 60_000, applicationName: 'report' });
  await holder.db.transaction(
    async (transaction) => {
      await transaction.execute(sql`select from merchant`);
      for (const look of [soon, late]) await look(database.db);
      expect(warnings).toEqual([]);
      await database.owner.execute(
        `do $$ begin for n in 1..${TRANSACTIONS} loop perform pg_current_xact_id(); commit; end loop; end $$`,
      );
      for (const look of [soon, soon, late]) await look(database.db);
    },
    { isolationLevel: 'repeatable read' },
  );
  await holder.close();
  expect(warnings).toEqual([
    {
      holder: expect.stringMatching(/^process \d+ report/),
      xmin: expect.any(String),
      transactions: expect.any(Number),
    },
  ]);
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../../src/db/connection/connect.ts';
import { openLog } from '../../../src/process/log.ts';
import { openQueue } from '../../../src/worker/webhooks/queue.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const SETTINGS = sql`
  concat_ws(', ', current_setting('transaction_isolation'), current_setting('standard_conforming_strings'),
    current_setting('jit'))`;
const NEEDED = 'read committed, on, off';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await database.owner.execute(sql`
    do $$ begin
      execute format('alter database %I set default_transaction_isolation = %L', current_database(), 'repeatable read');
      execute format('alter database %I set standard_conforming_strings = off', current_database());
      execute format('alter database %I set jit = on', current_database());
    end $$`);
});
afterAll(() => database.drop());

it('connections have the settings that statements rely on, whatever the defaults of the database are', async () => {
  const { db, close } = connect(database.url, { poolSize: 1, statementTimeoutMs: 10_000 });
  onTestFinished(close);
  expect(await db.execute(sql`select ${SETTINGS} as found`)).toEqual([{ found: NEEDED }]);
});

it('so do those of the queue', async () => {
  await database.owner.execute(sql`
    create or replace function take_webhook_jobs(lanes integer[], max_jobs integer)
    returns table (id uuid, merchant uuid, endpoint_key text, retry_count integer)
    language plpgsql as $$ begin raise exception '%', ${SETTINGS}; end $$`);
  const queue = await openQueue(database.url, openLog('silent'));
  onTestFinished(() => queue.close());
  await expect(queue.takeFromMerchants({ limit: 1, below: 1, exceptLanes: [] })).rejects.toThrow(NEEDED);
});

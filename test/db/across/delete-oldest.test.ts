import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { idArray } from '../../../src/db/sql/parameter.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { removeOldAttemptCounts } from '../../../src/webhook/ledger/attempt-counts.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const MERCHANTS = 50;
const ROWS_OF_EACH = 100;

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

it('deletes the rows of merchants that write at the same time with one statement for each merchant', async () => {
  const merchantIds = Array.from({ length: MERCHANTS }, newId);
  await database.owner.execute(sql`
    insert into webhook_attempt_count
    select merchant_id, uuid_v7(), now() - make_interval(days => 10, mins => n), true, 1, 1, 1, now()
    from unnest(${idArray(merchantIds)}) as merchant_id, generate_series(1, ${ROWS_OF_EACH}::integer) as n`);
  const { statements } = database;
  statements.length = 0;
  expect(await removeOldAttemptCounts(database)).toBe(MERCHANTS * ROWS_OF_EACH);
  expect(statements.filter((text) => /^\s*delete/.test(text))).toHaveLength(MERCHANTS);
});

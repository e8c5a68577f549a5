import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../../src/db/connection/connect.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('is called after each transaction that was committed, and after no other', async () => {
  let commits = 0;
  const options = { poolSize: 1, statementTimeoutMs: 5_000, onCommit: () => void (commits += 1) };
  const { db, close } = connect(database.url, options);
  await db.transaction(async (transaction) => await transaction.execute('select 1'));
  expect(commits).toBe(1);
  const failed = db.transaction(() => Promise.reject(new Error('rolled back')));
  await expect(failed).rejects.toThrow('rolled back');
  expect(commits).toBe(1);
  await close();
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../../src/db/connection/connect.ts';
import { ofMerchant } from '../../../src/db/connection/database.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('is called with the merchant of each transaction that was committed, and after no other', async () => {
  const commits: string[] = [];
  const onCommit = (merchantId: string) => void commits.push(merchantId);
  const options = { poolSize: 1, statementTimeoutMs: 5_000, onCommit };
  const { db, close } = connect(database.url, options);
  await db.transaction(async (transaction) => await transaction.execute('select 1'));
  const own = ofMerchant(db, 'a merchant');
  await own.transaction(async (transaction) => await transaction.execute('select 1'));
  expect(commits).toEqual(['', 'a merchant']);
  const failed = own.transaction(() => Promise.reject(new Error('rolled back')));
  await expect(failed).rejects.toThrow('rolled back');
  expect(commits).toHaveLength(2);
  await close();
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeOldChanges } from '../../src/db/removeOldChanges.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('removes changes of transactions that had ended a call ago, and never of one that has just ended', async () => {
  const { merchantId } = await createContext(database.db);
  const changed = async () => (await database.db.execute<{ name: string }>(sql`select table_name as name from catalogue_change where merchant_id = ${merchantId}`)).map(({ name }) => name);
  const insert = (table: string) => sql`insert into ${sql.identifier(table)} (merchant_id, name) values (${merchantId}, 'new')`;
  let horizon: string | null = null;
  const long = database.db.transaction(async (transaction) => {
    await transaction.execute(insert('product_brand'));
    await database.db.execute(insert('product_tag'));
    horizon = await removeOldChanges(database.db, horizon);
    horizon = await removeOldChanges(database.db, horizon);
  });
  await long;
  // The merchant's own had ended before. The tag's too, but it had begun after the brand's, which had not.
  horizon = await removeOldChanges(database.db, horizon);
  expect((await changed()).toSorted()).toEqual(['product_brand', 'product_tag']);
  await removeOldChanges(database.db, horizon);
  expect(await changed()).toEqual([]);
});

it('removes what a backup of another server has brought, of transactions that are still to come here', async () => {
  const { merchantId } = await createContext(database.db);
  await database.db.execute(sql`insert into catalogue_change (merchant_id, transaction_id, table_name) values (${merchantId}, '9000000000000000', 'product_tag')`);
  await removeOldChanges(database.db, null);
  const rows = await database.db.execute<{ name: string }>(sql`select table_name as name from catalogue_change where merchant_id = ${merchantId}`);
  expect(rows.map(({ name }) => name)).toEqual(['merchant']);
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findRecords } from '../../src/change/find-records.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

it('finds a slug only among records of the kind, and a name that is also the slug of a record of another kind', async () => {
  const ctx = await createContext(database.db);
  const [productId, categoryId] = [newId(), newId()];
  const { merchantId, db } = ctx;
  await db.execute(sql`
    insert into product (merchant_id, id, name, type) values (${merchantId}, ${productId}, 'sale', 'PHYSICAL')`);
  await db.execute(sql`insert into category (merchant_id, id, name) values (${merchantId}, ${categoryId}, 'Sale')`);
  await db.execute(sql`
    insert into html_meta_data (merchant_id, target_id, target_type, slug) values
      (${merchantId}, ${productId}, 'PRODUCT', 'red-shirt'), (${merchantId}, ${categoryId}, 'CATEGORY', 'sale')`);
  expect(await findRecords(ctx, 'CATEGORY', 'red-shirt')).toEqual([]);
  expect(await findRecords(ctx, 'PRODUCT', 'sale')).toEqual([productId]);
  expect(await findRecords(ctx, 'PRODUCT', 'red-shirt')).toEqual([productId]);
  expect(await findRecords(ctx, 'CATEGORY', 'sale')).toEqual([categoryId]);
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import { deleteProductList } from '../../../src/product/deleteProductList.ts';
import { saveProduct } from '../../../src/product/saveProduct.ts';
import { searchProducts } from '../../../src/product/searchProducts.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { waitForLocks } from '../../support/wait-for-locks.ts';
import { plainProduct } from '../products.ts';

const id = { id: {} };

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

const save = async (name: string, members: object = {}) =>
  await saveProduct(ctx, { input: { ...plainProduct(name), ...members } as never }, id);
const writePending = async (db: Database = database.db) =>
  await db.execute(sql`select product_search_write_pending(${ctx.merchantId}::uuid, 500)`);
const names = async (query: string) =>
  (await searchProducts(ctx, { input: { query } }, { results: { name: {} } })).results.map(({ name }) => name);

/**
 * One process takes two new products and waits for the first one, of which a third process writes the document. Then the
 * second one changes, and another process writes its document.
 */
async function changeWhileWritten(change: (productId: string) => Promise<unknown>): Promise<void> {
  const first = await save('Copper pan');
  const second = await save('Copper kettle');
  const writing = await database.db.transaction(async (db) => {
    await db.execute(sql`
      insert into product_search (merchant_id, product_id, document) values (${ctx.merchantId}, ${first.id}, '')`);
    const writing = writePending();
    await waitForLocks(database.owner, 1);
    await change(second.id);
    await writePending();
    return { writing };
  });
  await writing.writing;
}

it('have a change of a new product that is committed while another process writes its first document', async () => {
  await changeWhileWritten(async (productId) => await save('Brass kettle', { id: productId }));
  expect(await names('copper')).toEqual(['Copper pan']);
  expect(await names('brass')).toEqual(['Brass kettle']);
});

it('do not find a new product that is deleted while another process writes its first document', async () => {
  await changeWhileWritten(async (productId) => await deleteProductList(ctx, { idList: [productId] }));
  expect(await names('copper')).toEqual(['Copper pan']);
});

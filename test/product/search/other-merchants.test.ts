import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { searchProducts } from '../../../src/product/searchProducts.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase, withoutTriggers } from '../../support/database.ts';
import { blocksRead, ON_NODES } from '../../support/rows-read.ts';

/** Enough that the lexemes of their documents with one beginning are on more pages than a search may read. */
const OTHER_PRODUCTS = 8_000;
/** Enough that Postgres uses the index to find them. */
const OWN_PRODUCTS = 1_000;
const MAX_BLOCKS = 60;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  if (inject('isCluster')) return;
  ctx = await createContext(database.db);
  // What autovacuum reads would count, too.
  await database.owner.execute(sql`alter table product_search set (autovacuum_enabled = false)`);
  await insertProducts(await createContext(database.db), OTHER_PRODUCTS);
  await insertProducts(ctx, OWN_PRODUCTS);
  await database.owner.execute(sql`vacuum analyze product_search`);
}, 120_000);
beforeEach((test) => skipOnCluster(test, ON_NODES));
afterAll(() => database.drop());

/** Each product has words, pairs of characters and codes of its own. All of them begin alike. */
async function insertProducts({ merchantId }: Context, count: number): Promise<void> {
  await withoutTriggers(database.owner, async (owner) => {
    await owner.execute(sql`
      insert into product (merchant_id, name, type)
      select ${merchantId}, concat('Kettle stew', n, ' stir', n, ' 茶', chr(20000 + n), '壶', chr(20000 + n)), 'PHYSICAL'
      from generate_series(1, ${count}::int) as n`);
    await owner.execute(sql`
      insert into variant (merchant_id, product_id, position, barcode_list)
      select ${merchantId}, id, 0, array['86910' || number, '86920' || number]
      from (select id, row_number() over () as number from product where merchant_id = ${merchantId}) as numbered`);
    await owner.execute(sql`
      select product_search_write_documents(${merchantId}::uuid, array_agg(id order by id))
      from product where merchant_id = ${merchantId}`);
  });
}

it.each([
  ['the beginning of a code', '869', OWN_PRODUCTS],
  ['the beginning of many words', 'st', OWN_PRODUCTS],
  ['a word and the beginning of many', 'st kettle', OWN_PRODUCTS],
  ['two beginnings', 'st 8692', OWN_PRODUCTS],
  ['one character of a text without spaces', '茶', OWN_PRODUCTS],
  ['a text without spaces that has a wrong character', '茶无壶', OWN_PRODUCTS],
  ['a misspelt word', 'ketlte', OWN_PRODUCTS],
  ['a word', 'stew770', 1],
])('a search for %s reads nothing of another merchant', async (_, query, found) => {
  let totalCount = 0;
  const blocks = await blocksRead(database, 'product_search_document', async () => {
    ({ totalCount } = await searchProducts(ctx, { input: { query } }, { totalCount: {} }));
  });
  expect(totalCount).toBe(found);
  expect(blocks).toBeLessThan(MAX_BLOCKS);
});

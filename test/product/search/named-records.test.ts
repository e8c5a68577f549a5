import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { findTerms } from '../../../src/product/search/search-terms.ts';
import { searchProducts } from '../../../src/product/searchProducts.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { plainProduct, productSaver } from '../products.ts';
import { saveFixtureCatalogue } from './fixture-catalogue.ts';

/** Behind all other ids. */
const LAST_ID = 'ffffffff-0000-7000-8000-000000000001';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

/** Tags with these names, of which the last one is that of a product. */
async function saveTags(count: number, start: string, last: string): Promise<void> {
  await database.db.execute(sql`
    insert into product_tag (merchant_id, name)
    select ${ctx.merchantId}, ${start} || n from generate_series(1, ${count}::int) as n`);
  await database.db.execute(
    sql`insert into product_tag (merchant_id, id, name) values (${ctx.merchantId}, ${LAST_ID}, ${last})`,
  );
  await productSaver(ctx)({ ...plainProduct('Found'), tagIds: [LAST_ID] });
  await productSaver(ctx)(plainProduct('部品 red'));
}

async function found(query: string): Promise<string[]> {
  const { results } = await searchProducts(ctx, { input: { query } }, { results: { name: {} } });
  return results.map(({ name }) => name);
}

it('finds a record whose name has all words, beside more records with one of them than a query finds', async () => {
  await saveTags(600, 'red ', 'red dress');
  expect(await found('red dress')).toEqual(['Found']);
  expect(await found('dress red')).toEqual(['Found']);
});

it('finds a record whose name has all of a text without spaces, beside more records with a part of it', async () => {
  await saveTags(1_200, '部品', 'ブレーキ用部品');
  expect(await found('ブレーキ用部品')).toEqual(['Found']);
  expect(await found('部品 ブレーキ')).toEqual(['Found']);
});

it('finds no record by words that are in different names', async () => {
  await saveTags(2, 'red ', 'blue dress');
  const { words } = await findTerms(ctx, 'red dress');
  expect(words.map(({ names }) => names.length)).toEqual([2, 1]);
  expect(await found('red dress')).toEqual([]);
});

it.each([
  ['does not find a product by a deleted value', 'variant_value', []],
  ['finds a product by a value of a deleted type', 'variant_type', ['Table']],
])('%s', async (_, table, expected) => {
  await saveFixtureCatalogue(ctx, [{ name: 'Table', colour: 'Walnut' }]);
  expect(await found('walnut')).toEqual(['Table']);
  await database.db.execute(
    sql`update ${sql.identifier(table)} set deleted = true where merchant_id = ${ctx.merchantId}`,
  );
  expect(await found('walnut')).toEqual(expected);
});

it('finds 1,000 records at most, of which each may have all words', async () => {
  await saveTags(1_200, 'red dress ', 'dress');
  const { words } = await findTerms(ctx, 'red dress');
  const [red, dress] = words.map(({ names }) => names);
  expect(red).toHaveLength(500);
  expect(dress).toEqual(red);
});

/** The entries of indexes that a search reads to find names. */
async function readsOf(query: string): Promise<number> {
  return await database.db.transaction(async (tx) => {
    await findTerms({ ...ctx, db: tx as never }, query);
    const [row] = await tx.execute<{ reads: string }>(sql`
      select sum(pg_stat_get_xact_tuples_returned(indexrelid)) as reads
      from pg_index where indrelid = 'product_search_word'::regclass`);
    return Number(row!.reads);
  });
}

it('reads a bounded number of names for all texts without spaces together', async () => {
  await saveTags(1_000, '東京', '東京');
  await database.db.execute(sql`
    insert into product_tag (merchant_id, name) select ${ctx.merchantId}, '京都' || n from generate_series(1, 1000) as n`);
  const [one, many] = [await readsOf('東京都'), await readsOf('東京都 '.repeat(125).trim())];
  expect(one).toBeGreaterThan(3_000);
  expect(many).toBeLessThan(50_000);
});

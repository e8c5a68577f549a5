import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { removeUnusedWords } from '../../../src/product/search/remove-unused-words.ts';
import { saveProduct } from '../../../src/product/saveProduct.ts';
import { updateAllSearchDocuments } from '../../../src/product/search/search-documents.ts';
import { searchProducts } from '../../../src/product/searchProducts.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase, withoutTriggers } from '../../support/database.ts';
import { plainProduct } from '../products.ts';

const FOREVER = new AbortController().signal;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => void (database = await createDatabase()));
beforeEach(async () => void (ctx = await createContext(database.db)));
afterAll(() => database.drop());

async function product(name: string, owner: Context = ctx): Promise<void> {
  await saveProduct(owner, { input: plainProduct(name) as never }, { id: {} });
  await updateAllSearchDocuments(database, FOREVER);
}

async function rename(from: string, to: string): Promise<void> {
  await database.db.execute(
    sql`update product set name = ${to} where merchant_id = ${ctx.merchantId} and name = ${from}`,
  );
  await updateAllSearchDocuments(database, FOREVER);
}

async function words({ merchantId }: Context = ctx): Promise<string[]> {
  const rows = await database.db.execute<{ word: string }>(
    sql`select word from product_search_word where merchant_id = ${merchantId} and record_id is null order by word`,
  );
  return rows.map(({ word }) => word);
}

/** As if the words that are unused had been found two hours ago. */
async function twoHoursLater(): Promise<void> {
  await database.db.execute(sql`
    update product_search_word set unused_since = now() - interval '2 hours'
    where merchant_id = ${ctx.merchantId} and unused_since is not null`);
}

it('removes the words that no product has any more, and no others', async () => {
  const other = await createContext(database.db);
  await product('copper pan', other);
  await product('copper pan');
  await rename('copper pan', 'steel pan');
  await removeUnusedWords(database);
  expect(await words()).toEqual(['copper', 'pan', 'steel']);
  await twoHoursLater();
  expect(await removeUnusedWords(database)).toBe(1);
  expect([await words(), await words(other)]).toEqual([
    ['pan', 'steel'],
    ['copper', 'pan'],
  ]);
});

it('keeps a word that a product has again, once', async () => {
  await product('copper pan');
  await rename('copper pan', 'steel pan');
  await removeUnusedWords(database);
  await product('copper kettle');
  // Another worker may already have found that the first row is unused.
  expect(await words()).toEqual(['copper', 'copper', 'kettle', 'pan', 'steel']);
  await twoHoursLater();
  await removeUnusedWords(database);
  expect(await words()).toEqual(['copper', 'kettle', 'pan', 'steel']);
  await removeUnusedWords(database);
  const { results } = await searchProducts(ctx, { input: { query: 'copp' } }, { results: { name: {} } });
  expect(results.map(({ name }) => name)).toEqual(['copper kettle']);
});

it('keeps the only row of a word whose product was committed after the word was found to be unused', async () => {
  await product('copper pan');
  await database.db.execute(sql`
    update product_search_word set unused_since = now() - interval '2 hours'
    where merchant_id = ${ctx.merchantId} and word = 'copper'`);
  await removeUnusedWords(database);
  expect(await words()).toEqual(['copper', 'pan']);
  await twoHoursLater();
  expect(await removeUnusedWords(database)).toBe(0);
});

async function addUnusedWords(count: number): Promise<void> {
  await withoutTriggers(
    database.owner,
    async (owner) =>
      await owner.execute(sql`
        insert into product_search_word (merchant_id, word, unused_since)
        select ${ctx.merchantId}, 'word' || n, now() - interval '2 hours' from generate_series(1, ${count}) n`),
  );
}

it('continues after each slice of the words', async () => {
  await addUnusedWords(1_200);
  expect(await removeUnusedWords(database, FOREVER, 0)).toBe(1_200);
});

it('pauses after a slice of the words, and ends if the worker stops', async () => {
  await addUnusedWords(1_200);
  const stopping = new AbortController();
  const removal = removeUnusedWords(database, stopping.signal, 60_000);
  await expect.poll(async () => (await words()).length).toBe(700);
  stopping.abort();
  expect(await removal).toBe(500);
});

it('keeps words of all signs that names may have', async () => {
  await product(`O'Neill d''Arc it's 'quoted' back\\slash a&b|c !x :* <-> %s 100% "two" naïve 2½ x_y-z ’curly’`);
  const before = await words();
  await removeUnusedWords(database);
  await twoHoursLater();
  expect(await removeUnusedWords(database)).toBe(0);
  expect(await words()).toEqual(before);
});

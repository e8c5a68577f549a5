import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalogue } from '../../../bench/catalogue.ts';
import type { Context } from '../../../src/context.ts';
import { removeUnusedWords } from '../../../src/product/search/remove-unused-words.ts';
import { searchProducts } from '../../../src/product/searchProducts.ts';
import { createDatabase, type TestDatabase, withoutTriggers } from '../../support/database.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { explaining, explainingTask } from '../../support/plan.ts';

/** Enough rows that a full scan costs more than the indexes. */
const SHOPS = [4_000, 1_000];
/** So many that Postgres expects few rows of a merchant that it does not know. */
const SMALL_SHOPS = 5_000;

let database: TestDatabase;
let merchantId: string;
beforeAll(async () => {
  database = await createDatabase();
  [merchantId] = (await loadCatalogue(database.ownerUrl, SHOPS)) as [string];
});
afterAll(() => database.drop());

describe('the plan of a search', () => {
  it.each([
    ['a barcode', '8690000001234', ['product_search_document']],
    ['a sku', 'SKU-000411-XL', ['product_search_document', 'product_search_word_known']],
    [
      'three words',
      'blue cotton jacket',
      [
        'product_search_document',
        'product_search_word_known',
        'product_search_word_name',
        'product_search_word_record',
      ],
    ],
    ['a misspelt word', 'hedphnoes', ['product_search_document', 'product_search_word_known']],
  ])('uses the indexes for %s', async (_, query, indexes) => {
    const plans: string[] = [];
    const { totalCount, count } = await searchProducts(
      { db: explaining(database.db, plans), merchantId } as Context,
      { input: { query, pagination: { limit: 20 } } },
      { totalCount: {}, results: { id: {} } },
    );
    expect(totalCount).toBeGreaterThan(0);
    expect(count).toBe(Math.min(totalCount, 20));
    const plan = plans.join('\n');
    for (const index of indexes) expect(plan).toContain(index);
    expect(plan).not.toMatch(/Seq Scan on (product|product_search|product_search_word)\b/);
  });

  it('uses the trigram index for a similar word', async () => {
    const similar = sql`select word from product_search_word as w where w.merchant_id = ${merchantId} and w.word % 'hedphnoes'`;
    const plan = await database.db.execute<{ 'QUERY PLAN': string }>(sql`explain ${similar}`);
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('product_search_word_similar');
  });

  it('uses the indexes to find out whether documents have a word, also where they are many', async () => {
    await addDocuments(20_000);
    const plans: string[] = [];
    await explainingTask(database.db, plans, () => removeUnusedWords(database, undefined, 0));
    expect(plans.join('\n')).toContain('product_search_document');
    expect(plans.join('\n')).not.toMatch(/Seq Scan on product_search\b/);
  });

  it('uses the indexes for a large merchant among many small ones, however many entries are pending in them', async (test) => {
    skipOnCluster(test, 'the owner may not turn triggers off');
    await withoutTriggers(database.owner, async (owner) => {
      await owner.execute(sql`
        insert into product_search (merchant_id, product_id, document)
        select uuid_v7(), uuid_v7(), array_to_tsvector(array(select 'w' || n * word from generate_series(1, 50) as word))
        from generate_series(1, ${SMALL_SHOPS}::int) as n`);
      await owner.execute(sql`
        insert into product_search_word (merchant_id, word)
        select uuid_v7(), md5(n::text) from generate_series(1, ${SMALL_SHOPS}::int) as n`);
    });
    await database.owner.execute(sql`analyze product_search (merchant_id), product_search_word (merchant_id)`);
    const plans: string[] = [];
    const ctx = { db: explaining(database.db, plans), merchantId } as Context;
    const { totalCount } = await searchProducts(ctx, { input: { query: 'blue hedphnoes' } }, { totalCount: {} });
    expect(totalCount).toBeGreaterThan(0);
    const plan = plans.join('\n');
    expect(plan).toContain('product_search_word_similar');
    expect(plan).not.toContain('product_search_merchant_id_product_id_pk');
  });
});

/** Without triggers and without products: each has two words. */
async function addDocuments(count: number): Promise<void> {
  await withoutTriggers(database.owner, (owner) =>
    owner.execute(sql`
      insert into product_search (merchant_id, product_id, document)
      select ${merchantId}, uuidv7(), array_to_tsvector(array['w' || n, 'x' || n]) from generate_series(1, ${count}) n`),
  );
  await database.owner.execute(sql`vacuum analyze product_search`);
}

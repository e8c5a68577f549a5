import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type BenchDatabase, openBenchDatabase } from '../../bench/database.ts';
import { createFilteredPages } from '../../bench/filtered-pages.ts';
import { plansOf } from '../../bench/plan.ts';
import { openShop } from '../../bench/shop.ts';
import type { Shop } from '../../bench/workload.ts';
import { workloads } from '../../bench/workloads.ts';
import { connect } from '../../src/db/connection/connect.ts';

/**
 * One large shop among small ones, an eighth of what the benches have. Postgres chooses the same indexes for both sizes
 * (2026-11-22), and 100,000 products take three times the CPU seconds, most of them for search documents.
 */
const PRODUCTS = 12_000;
const SHOPS = [PRODUCTS, ...Array.from({ length: 9 }, () => PRODUCTS / 50)];

/** Writing the shops takes 20 s of CPU. */
const GENERATION_TIMEOUT_MS = 400_000;
/** Adding the groups takes 10 s of CPU. */
const GROUPS_TIMEOUT_MS = 200_000;
const APPS = 2_000;

/** Of a merchant without automated categories. test/product/list-plans.test.ts has plans with them. */
const productParts = [
  'category_merchant_id_id_pk',
  'product_brand_merchant_id_id_pk',
  'product_tag_merchant_id_id_pk',
  'variant_product',
];

/** Each statement of a workload, and the indexes made for it. `only`: an index-only scan, which reads no rows. */
const MEANT: Record<string, [statement: string, ...indexes: string[]][]> = {
  W1: [['select product', 'product_created', ...productParts]],
  W1N: [['select product', 'product_created', ...productParts]],
  W2: [['select product', 'product_merchant_id_id_pk', ...productParts]],
  W2N: [['select product', 'product_merchant_id_id_pk', ...productParts]],
  W2L: [['select product', 'product_merchant_id_id_pk', ...productParts]],
  W3: [['select variant', 'product_merchant_id_id_pk', 'variant_sku', ...productParts]],
  W4: [
    [
      'select product_search_pending',
      'product_search_word_known only',
      'product_search_word_name only',
      'product_search_word_record only',
    ],
    [
      'select product_search',
      'product_search_document',
      'product_brand_merchant_id_id_pk',
      'product_merchant_id_id_pk',
      'variant_product',
    ],
  ],
  W5: [
    [
      'select product_brand',
      'category_merchant_id_id_pk',
      'product_brand_merchant_id_id_pk',
      'product_tag_merchant_id_id_pk',
    ],
    ['insert product'],
    ['insert variant'],
    ['insert html_meta_data', 'html_meta_data_slug_key'],
    ['select product', 'product_merchant_id_id_pk', 'variant_product'],
  ],
  W6: [
    // The size of the stored products with their metadata and variants, and of the deleted variants that are named by id.
    // The shop has no metadata, so the table is read without an index, and a save makes none.
    ['select product', 'product_merchant_id_id_pk', 'variant_merchant_id_id_pk', 'variant_product'],
    // Finds products by `sourceId`. The request has none, so the two indexes for it are not used.
    ['select product', 'product_merchant_id_id_pk'],
    ['select variant', 'variant_product'],
    // Deleted variants: those that are named by id, and the newest of each product.
    ['select variant', 'variant_merchant_id_id_pk'],
    ['select variant', 'variant_merchant_id_id_pk', 'variant_product'],
    ['select product_brand', 'product_brand_name_key'],
    ['select product_tag', 'product_tag_name_key'],
    // A merchant has few variant types and values, so a scan of the table is right.
    ['select variant_type'],
    ['select variant_value'],
    // The names of the products' own categories: a product stays in one with the names of the request.
    ['select category', 'category_merchant_id_id_pk'],
    ['select category', 'category_parent'],
    ['select html_meta_data'],
    ['select category', 'category_merchant_id_id_pk'],
    ['update product', 'product_merchant_id_id_pk'],
    ['update variant', 'variant_merchant_id_id_pk'],
    ['insert bulk_operation'],
  ],
  W7: [
    ['select product', 'product_merchant_id_id_pk'],
    ['select variant', 'variant_merchant_id_id_pk'],
    ['update variant', 'variant_merchant_id_id_pk'],
    ['update product', 'product_merchant_id_id_pk'],
  ],
  W8: [['select authorized_app', 'authorized_app_merchant_id_id_pk']],
  W9: [['select product', 'product_created', ...productParts]],
  W9N: [['select product', 'product_created', ...productParts]],
  W10: [['select product', 'product_created only', 'product_merchant_id_id_pk', ...productParts]],
  W10C: [['select product', 'product_created', ...productParts]],
};

let database: BenchDatabase;
let shop: Shop;
beforeAll(async () => {
  database = await openBenchDatabase(SHOPS, inject('serverUrl'));
  ({ shop } = await openShop(database.url, database.merchantId));
  await onDatabase(sql`
    insert into authorized_app (merchant_id, id, name, partner_id, store_app_id, scopes, client_id, client_secret_encrypted, added_date)
    select ${shop.merchantId}::uuid, uuid_v7(), 'App ' || n, 'partner', 'store-app', '{}', 'client ' || n, 'none', now() from generate_series(1, ${APPS}::int) as n`);
  await onDatabase(sql`analyze authorized_app`);
  await onDatabase(WITHOUT_AUTOVACUUM);
}, GENERATION_TIMEOUT_MS);
afterAll(() => database?.close());

/** Autovacuum would analyze the rows that a workload writes at an arbitrary moment, and plans would change. */
const WITHOUT_AUTOVACUUM = sql`
  do $$
    declare name regclass;
    begin
      for name in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
        execute format('alter table %s set (autovacuum_enabled = off)', name);
      end loop;
    end
  $$`;

describe(`the plan among ${PRODUCTS} products`, () => {
  it.each(workloads)('of $name, $title, uses the indexes made for each statement', async (workload) => {
    const plans = await plansOf(database.url, shop, workload);
    expect(plans).toEqual(
      MEANT[workload.name]!.map(([statement, ...indexes]) => ({ statement, indexes: indexes.sort(), whole: [] })),
    );
  });

  it(
    'of a filtered page uses the index made for the filter',
    async () => {
      for (const page of await createFilteredPages(database.url, PRODUCTS)) {
        const plans = await plansOf(database.url, shop, page);
        expect(
          plans.flatMap(({ whole }) => whole),
          page.title,
        ).toEqual([]);
        // The last statement: another one before it may look up subcategories.
        const { indexes } = plans.at(-1)!;
        expect(indexes, page.title).toContain(page.index);
        // With this index PostgreSQL would read the shop's products from the newest one, until a page is full.
        expect(indexes, page.title).not.toContain('product_created');
      }
    },
    GROUPS_TIMEOUT_MS,
  );

  it('changes if the indexes are missing, so that these tests would fail', async () => {
    await onDatabase(WITHOUT_INDEXES_OF_PRODUCTS);
    const [plan] = await plansOf(
      database.url,
      shop,
      workloads.find(({ name }) => name === 'W1')!,
    );
    expect(plan!.indexes).not.toContain('product_created');
    expect(plan!.whole).toEqual(['product']);
  });
});

const WITHOUT_INDEXES_OF_PRODUCTS = sql`
  do $$
    declare name regclass;
    begin
      alter table product drop constraint product_merchant_id_id_pk cascade;
      for name in select indexrelid from pg_index where indrelid = 'product'::regclass loop
        execute format('drop index %s', name);
      end loop;
    end
  $$`;

async function onDatabase(statement: typeof WITHOUT_AUTOVACUUM): Promise<void> {
  const connection = connect(database.url, { poolSize: 1, statementTimeoutMs: GENERATION_TIMEOUT_MS });
  try {
    await connection.db.execute(statement);
  } finally {
    await connection.close();
  }
}

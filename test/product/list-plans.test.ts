import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalogue } from '../../bench/catalogue.ts';
import { me } from '../../src/app/me.ts';
import type { Context } from '../../src/context.ts';
import type { QueryListProductArgs } from '../../src/graphql/generated/types.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { searchProducts } from '../../src/product/searchProducts.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { explaining } from '../support/plan.ts';

/** Enough rows that a full scan costs more than the indexes. */
const SHOPS = [4_000, 1_000];
const APPS = 2_000;
const FREQUENT_ATTRIBUTE = '0190a0c4-0000-7000-8000-000000000001';
const RARE_ATTRIBUTE = '0190a0c4-0000-7000-8000-000000000002';
const SHARED_BARCODE = '4000000000000';

const record = { id: {}, name: {} };
const data = {
  ...record,
  type: {},
  createdAt: {},
  brand: record,
  categories: record,
  tags: record,
  variants: { id: {}, sku: {}, barcodeList: {}, prices: { priceListId: {}, sellPrice: {}, buyPrice: {} } },
};

let database: TestDatabase;
let merchantId: string;
beforeAll(async () => {
  database = await createDatabase();
  [merchantId] = (await loadCatalogue(database.ownerUrl, SHOPS)) as [string];
  await database.db.execute(sql`
    insert into authorized_app (merchant_id, id, name, partner_id, store_app_id, scopes, client_id, client_secret_encrypted, added_date)
    select ${merchantId}::uuid, uuid_v7(), 'App ' || n, 'partner', 'store-app', '{}', 'client ' || n, 'none', now() from generate_series(1, ${APPS}::int) as n`);
  await database.db.execute(sql`
    update variant set source_id = 'V-' || sku where merchant_id = ${merchantId} and sku like 'SKU-00041%'`);
  await database.db.execute(sql`
    update product set source_id = 'P-' || id from (
      select distinct product_id from variant where merchant_id = ${merchantId} and source_id is not null) as fed
    where merchant_id = ${merchantId} and id = fed.product_id`);
  await database.db.execute(sql`
    update variant set attributes = ${JSON.stringify([{ productAttributeId: FREQUENT_ATTRIBUTE }])}::json,
      barcode_list = array[${SHARED_BARCODE}]
    where merchant_id = ${merchantId} and position = 1 and sku not like 'SKU-00041%'`);
  await database.db.execute(sql`
    update variant set attributes = ${JSON.stringify([{ productAttributeId: RARE_ATTRIBUTE }])}::json
    where merchant_id = ${merchantId} and sku like 'SKU-00041%'`);
  await database.owner.execute(sql`analyze authorized_app, product, variant`);
});
afterAll(() => database.drop());

async function planOf(run: (ctx: Context) => Promise<unknown>): Promise<string> {
  const plans: string[] = [];
  // As for most merchants. Otherwise statements would also read price lists, from a table that is empty here.
  const session = { hasDynamicPriceLists: false };
  await run({ db: explaining(database.db, plans), merchantId, session } as Context);
  expect(plans).toHaveLength(1);
  return plans[0]!;
}

const listPlan = (args: QueryListProductArgs, selection: object = { data }) =>
  planOf((ctx) => listProduct(ctx, args, selection as never));

async function lastPlanOf(run: (ctx: Context) => Promise<unknown>): Promise<string> {
  const plans: string[] = [];
  const session = { hasDynamicPriceLists: false };
  await run({ db: explaining(database.db, plans), merchantId, session } as Context);
  return plans.at(-1)!;
}

/** Finds plans that compare each row with all rows of an earlier part. */
const comparesWithAll = /Filter: [^\n]*ANY \(\(InitPlan/;

/** Finds full scans. Not even a small table may have one, because it would be scanned for each product of the page. */
const wholeTable = /Seq Scan/;

async function productNamed(column: 'id' | 'brand_id'): Promise<string> {
  const [row] = await database.db.execute<{ value: string }>(sql`
    select ${sql.identifier(column)}::text as value from product where merchant_id = ${merchantId} order by id offset 2000 limit 1`);
  return row!.value;
}

describe('the plan of a list of products', () => {
  it.each<[string, QueryListProductArgs, string]>([
    ['a page, newest first', { pagination: { limit: 20 } }, 'product_created'],
    ['a deep page', { pagination: { limit: 20, page: 100 } }, 'product_created'],
    ['a page last changed first', { sort: '-updatedAt', pagination: { limit: 20 } }, 'product_updated'],
    ['a page by name', { sort: 'name', pagination: { limit: 20 } }, 'product_name'],
    ['a page with what was deleted', { includeDeleted: true, pagination: { limit: 20 } }, 'product_created'],
    [
      'a page with deleted products, last changed first',
      { includeDeleted: true, sort: '-updatedAt', pagination: { limit: 20 } },
      'product_updated',
    ],
    [
      'a page with deleted products, by name',
      { includeDeleted: true, sort: 'name', pagination: { limit: 20 } },
      'product_name',
    ],
    [
      'recently changed products',
      { sort: '-updatedAt', updatedAt: { gte: Date.UTC(2026, 0, 3) }, pagination: { limit: 20 } },
      'product_updated',
    ],
    [
      'products created in a time range, by name',
      {
        sort: 'name',
        createdAt: { gte: Date.UTC(2026, 0, 2), lt: Date.UTC(2026, 0, 2, 0, 30) },
        pagination: { limit: 20 },
      },
      'product_created',
    ],
    ['products of a rare type', { type: { eq: 'MEMBERSHIP' } }, 'product_type'],
    ['products of a frequent type, newest first', { type: { ne: 'MEMBERSHIP' } }, 'product_created'],
    ['a high price', { price: { gt: 100_000 } }, 'product_price_highest'],
    ['a low price', { price: { lt: 0.5 } }, 'product_price_lowest'],
    ['a sku', { sku: { eq: 'SKU-000411-XL' } }, 'variant_sku'],
    ['a barcode', { barcodeList: { eq: '8690000001234' } }, 'variant_barcode_list'],
    ["a client's own key", { sourceId: { eq: 'P-1' } }, 'product_source_id_key'],
    ["several of a client's own keys", { sourceId: { in: ['P-1', 'P-2'] } }, 'product_source_id_key'],
    ["a client's own key of a variant", { variantSourceId: { eq: 'V-SKU-000411-XL' } }, 'variant_source_id'],
    ["several of a client's own keys of variants", { variantSourceId: { in: ['V-1', 'V-2'] } }, 'variant_source_id'],
    ['the few with an own key', { sourceId: { isNull: false } }, 'product_source_id_key'],
    ['the few with a variant that has an own key', { variantSourceId: { isNull: false } }, 'variant_source_id'],
    ['products without a vendor, as most are', { vendorId: { isNull: true } }, 'product_created'],
    ['the few with a vendor', { vendorId: { isNull: false } }, 'product_vendor'],
    ['products that are no bundles, as most are', { bundleProductsProductId: { isNull: true } }, 'product_created'],
    ['the few bundles', { bundleProductsProductId: { isNull: false } }, 'variant_bundle_product_ids'],
    ['the few without a brand', { brandId: { isNull: true } }, 'product_without_brand'],
    ['products with a brand, as most are', { brandId: { isNull: false } }, 'product_created'],
    ['the few without a sku', { sku: { isNull: true } }, 'variant_sku'],
    ['products with a sku, as most are', { sku: { isNull: false } }, 'product_created'],
    ['the few without a category', { categoryIds: { isNull: true } }, 'product_category_ids'],
    ['products with a category, as most are', { categoryIds: { isNull: false } }, 'product_created'],
  ])('reads %s from the index made for it', async (_, args, index) => {
    const plan = await listPlan(args);
    expect(plan).toContain(index);
    expect(plan).not.toMatch(wholeTable);
  });

  it('looks up the many variants with one barcode by key, instead of comparing each product with them', async () => {
    const plan = await listPlan({ barcodeList: { eq: SHARED_BARCODE } });
    expect(plan).toContain('product_merchant_id_id_pk');
    expect(plan).not.toMatch(comparesWithAll);
  });

  it.each([['listProduct'], ['searchProducts']] as const)(
    'starts from the variants of a rare attribute, and from the products of a frequent one: %s',
    async (operation) => {
      const planFor = async (attribute: string): Promise<string> => {
        const attributeId = { in: [attribute] };
        return await lastPlanOf((ctx) =>
          operation === 'listProduct'
            ? listProduct(ctx, { attributeId, pagination: { limit: 20 } }, { data } as never)
            : searchProducts(ctx, { input: { attributeId, pagination: { limit: 20 } } }, { results: data } as never),
        );
      };
      expect(await planFor(RARE_ATTRIBUTE)).toContain('variant_attribute_ids');
      const plan = await planFor(FREQUENT_ATTRIBUTE);
      expect(plan).toContain('product_created');
      expect(plan).not.toMatch(comparesWithAll);
    },
  );

  it('counts facets without sorting all matches, and joins the names of the values by id', async () => {
    const ids = await database.db.execute<{ id: string }>(
      sql`select id from category where merchant_id = ${merchantId}`,
    );
    const input = { categoryIds: { in: ids.map(({ id }) => id) }, price: { gt: 0 }, pagination: { limit: 20 } };
    const plan = await lastPlanOf((ctx) =>
      searchProducts(ctx, { input }, { results: data, facets: { field: {}, values: {} } } as never),
    );
    expect(plan).not.toMatch(/count\(DISTINCT/);
    expect(plan).not.toMatch(/\(id\)::text = /);
    // The planner must expect that nearly all of the 4,000 products match, which is true.
    const [, expected] = /CTE matches[^]*? rows=(\d+)/.exec(plan)!;
    expect(Number(expected)).toBeGreaterThan(1_000);
  });

  it('reads the parts of each product of a large page by index', async () => {
    const plan = await listPlan({ pagination: { limit: 200 } });
    expect(plan).toContain('product_created');
    expect(plan).not.toMatch(/Seq Scan on (?!product )/);
  });

  it('reaches a deep page with an index-only scan', async () => {
    expect(await listPlan({ pagination: { limit: 20, page: 100 } })).toContain('Index Only Scan using product_created');
  });

  it('finds automated categories by their own indexes', async () => {
    for (const args of [{}, { id: { eq: await productNamed('id') } }]) {
      const plan = await listPlan(args);
      expect(plan).toContain('Index Only Scan using category_by_conditions');
      expect(plan).toContain('Index Only Scan using category_product_by_conditions');
    }
  });

  it('finds one product by its key', async () => {
    const plan = await listPlan({ id: { eq: await productNamed('id') } });
    expect(plan).toContain('product_merchant_id_id_pk');
    expect(plan).not.toMatch(wholeTable);
  });

  it('starts at the cursor', async () => {
    const { endCursor } = await listProduct(
      { db: database.db, merchantId } as Context,
      { pagination: { limit: 20, page: 100 } },
      { endCursor: {} },
    );
    const plan = await listPlan({ pagination: { limit: 20, after: endCursor } });
    expect(plan).toMatch(/product_created on product[^]*?Index Cond: [^\n]*created_at <= /);
    expect(plan).not.toMatch(wholeTable);
  });

  // Forbids table scans, which are as fast for so few products.
  it.each([{}, { includeDeleted: true }])('can count all products with an index-only scan: %o', async (args) => {
    const plans: string[] = [];
    await database.db.transaction(async (transaction) => {
      await transaction.execute(sql`set local enable_seqscan = off`);
      await transaction.execute(sql`set local enable_bitmapscan = off`);
      await listProduct({ db: explaining(transaction, plans), merchantId } as Context, args, { count: {} } as never);
    });
    expect(plans).toEqual([
      expect.stringMatching(/Aggregate[^\n]*\n *->  Index Only Scan using product_\w+ on product/),
    ]);
  });

  it('counts the products of a brand in its index', async () => {
    const plan = await listPlan({ brandId: { eq: await productNamed('brand_id') } }, { count: {} });
    expect(plan).toContain('product_brand_id');
    expect(plan).not.toMatch(wholeTable);
  });
});

describe('the plan of me', () => {
  it('finds the app by its key', async () => {
    const [app] = await database.db.execute<{ id: string }>(
      sql`select id from authorized_app where merchant_id = ${merchantId} limit 1`,
    );
    const session: Context['session'] = { merchantId, authorizedAppId: app!.id, scopes: new Set() };
    const plan = await planOf((ctx) => me({ ...ctx, session }));
    expect(plan).toContain('authorized_app_merchant_id_id_pk');
    expect(plan).not.toContain('Seq Scan on authorized_app');
  });
});

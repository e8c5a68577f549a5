import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '../../src/db/sql/id.ts';
import type { Merchant } from '../support/own-service.ts';
import { type Answer, codes } from '../support/post.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';
import { insertProducts } from './support/catalogue.ts';

const PRODUCTS = 10_000;
/** The maximum in one request, because of their cost. */
const SEARCHES = 4;
const REQUESTS = 10;
const GONE_WITHIN_MS = 2_000;

const PEOPLE = 600;
/** Deliveries of each customer; each has a payload of 2 kB. */
const DELIVERIES = 50;
/** Ids of a request, its maximum. */
const LISTED = 100;
const ERASE = 'mutation ($ids: [String!]!) { eraseCustomerList(idList: $ids) { id items { place count } } }';

const COUNTED_VARIANTS = 10;
/** Adjustments of a request, its maximum. */
const ADJUSTED = 1_000;
const ADJUSTMENTS_AT_ONCE = 8;
const ADJUST = 'mutation ($input: [AdjustStockInput!]!) { adjustStock(input: $input) { countAfter } }';

const PRICED_VARIANTS = 1_000;
const LISTS = 50;
const ENTRIES = 5;
const RULES = 20;
/** Price lists that never compute, stored by plain SQL. */
const OTHER_LISTS = 5_000;
const EFFECT_TIMEOUT_MS = 5_000;
/** More than are executed at once, so that some wait. */
const PAGES_AT_ONCE = 16;

let service: AttackedService;
beforeAll(async () => {
  service = await startAttackedService();
  await insertProducts(service.database.owner, { merchantId: service.attacker.ctx.merchantId, count: PRODUCTS });
}, 60_000);
afterAll(() => service.stop());

describe('searches with facets over 10,000 products', () => {
  // docs/reliability-tests.md: 20, 30
  it('are refused before they are executed if one document has thirty, for any number of documents', async () => {
    const query = searches(30);
    const send = async (): Promise<Answer> => await service.attacker.send({ query });
    const answers = await Promise.all(Array.from({ length: REQUESTS }, send));
    expect(answers.flatMap(codes)).toEqual(answers.map(() => 'ARGUMENT_VALIDATION_ERROR'));
    expect(answers[0]!.body.errors).toMatchObject([
      { extensions: { field: 'searchProducts', fieldCost: expect.any(Number), maximumQueryCost: 100_000 } },
    ]);
  });

  it('are executed if one document has a few, and tell their cost', async () => {
    const { body } = await service.attacker.send({ query: searches(3) }, { 'x-request-cost': 'true' });
    expect(body.errors).toBeUndefined();
    expect(body.data).toMatchObject({ s0: { totalCount: PRODUCTS }, s1: {}, s2: {} });
    expect(body.extensions).toMatchObject({
      cost: { throttleStatus: { maximumAvailable: 500_000_000, restoreRate: 50_000_000 } },
    });
  });

  // docs/reliability-tests.md: 30
  it('in as many requests as are executed at once delay nobody else', async () => {
    const report = await attack(`${REQUESTS} requests of ${SEARCHES} searches`, service, async () => {
      const answers = await Promise.all(
        Array.from({ length: REQUESTS }, async () => await service.attacker.send({ query: searches() })),
      );
      for (const answer of answers) expect(codes(answer)).toEqual([]);
    });
    expectUnharmed(report);
  });

  // docs/reliability-tests.md: 31
  it('end when their client disconnects', async () => {
    const report = await attack('searches whose clients go away', service, async () => {
      for (let round = 0; round < 3; round++) {
        const gone = AbortSignal.timeout(300);
        const requests = Array.from(
          { length: 8 },
          async () =>
            await fetch(service.graphqlUrl, {
              method: 'POST',
              headers: { authorization: `Bearer ${service.attacker.token}`, 'content-type': 'application/json' },
              body: JSON.stringify({ query: searches() }),
              signal: gone,
            }).catch(() => null),
        );
        await Promise.all(requests);
      }
      const endsAtMs = performance.now() + GONE_WITHIN_MS;
      while ((await runningStatements()) > 0 && performance.now() < endsAtMs) await wait(50);
      expect(await runningStatements()).toBe(0);
    });
    expectUnharmed(report);
  });
});

describe('searches with every condition and the longest lists over 10,000 products', () => {
  it('delay nobody else, and cost so much that a request can have only two', async () => {
    const ids = await attackersIds();
    const listed = (list: string[]) => ({ in: [...list, ...Array.from({ length: 1_000 - list.length }, newId)] });
    const unlisted = { nin: Array.from({ length: 1_000 }, newId) };
    const input = {
      brandId: listed(ids.product_brand!),
      tagIds: listed(ids.product_tag!),
      categoryIds: { ...listed(ids.category!), includeSubcategories: true },
      type: { in: ['PHYSICAL', 'DIGITAL'] },
      salesChannelIds: unlisted,
      attributeId: unlisted,
      price: { isNull: true },
      stock: { inStock: false, stockLocationIds: unlisted.nin },
      sort: '-price',
    };
    const fields = (count: number) =>
      Array.from(
        { length: count },
        (_, index) => `s${index}: searchProducts(input: $input) { totalCount facets { field values { id count } } }`,
      ).join(' ');
    const send = async (count: number) =>
      await service.attacker.send({ query: `query ($input: SearchInput!) { ${fields(count)} }`, variables: { input } });
    expect(codes(await send(3))).toEqual(['ARGUMENT_VALIDATION_ERROR']);
    const report = await attack('searches with every condition', service, async () => {
      for (const answer of await Promise.all(Array.from({ length: REQUESTS }, async () => await send(2)))) {
        expect(codes(answer)).toEqual([]);
        expect(answer.body.data).toMatchObject({ s0: { totalCount: expect.any(Number) } });
      }
    });
    expectUnharmed(report);
  });

  it('end also in deep trees and cycles of categories', async () => {
    const { merchantId } = service.attacker.ctx;
    const root = newId();
    const made = sql`
      insert into category (merchant_id, id, name, parent_id)
      select ${merchantId}, id, 'deep', lag(id, 1, ${root}::uuid) over (order by id)
      from (select uuid_v7() as id from generate_series(1, 4998)) as made order by id`;
    await service.database.owner.execute(sql`
      insert into category (merchant_id, id, name) values (${merchantId}, ${root}, 'root')`);
    await service.database.owner.execute(made);
    await service.database.owner.execute(sql`
      update category set parent_id = (select max(id::text)::uuid from category where merchant_id = ${merchantId} and name = 'deep')
      where merchant_id = ${merchantId} and id = ${root}`);
    const query = `{ listProduct(categoryIds: {eq: "${root}", includeSubcategories: true}) { count data { id } } }`;
    const report = await attack('a cycle of 4,999 categories', service, async () => {
      const answers = await Promise.all(
        Array.from({ length: REQUESTS }, async () => await service.attacker.send({ query })),
      );
      for (const answer of answers) expect(answer.body).toEqual({ data: { listProduct: { count: 0, data: [] } } });
    });
    expectUnharmed(report);
  });
});

describe('a text in a filter', () => {
  it('longer than its column is refused, naming the member', async () => {
    const query =
      'query ($name: StringFilterInput, $search: String) { listProduct(name: $name, search: $search) { data { id } } }';
    const pattern = 'ab'.repeat(500_000);
    const answers = await Promise.all(
      [{ name: { like: pattern } }, { name: { eq: pattern } }, { name: { nin: [pattern] } }, { search: pattern }].map(
        async (variables) => await service.attacker.send({ query, variables }),
      ),
    );
    expect(answers.map((answer) => codes(answer))).toEqual(answers.map(() => ['ARGUMENT_VALIDATION_ERROR']));
    expect(answers.map(({ body }) => body.errors![0]!.extensions['issues'])).toEqual(
      [['name', 'like'], ['name', 'eq'], ['name', 'nin', 0], ['search']].map((path) => [
        { path, message: expect.stringContaining('255') },
      ]),
    );
  });
});

it('erasures of a hundred customers with many copies, twice at once, delay nobody else', async () => {
  const ids = await peopleWithDeliveries();
  const lists = Array.from({ length: PEOPLE / LISTED }, (_, n) => ids.slice(n * LISTED, (n + 1) * LISTED));
  const report = await attack(`${PEOPLE} erasures`, service, async () => {
    const erase = async (list: string[]) => await service.attacker.send({ query: ERASE, variables: { ids: list } });
    const answers = await Promise.all([...lists, ...lists.toReversed()].map(erase));
    expect(answers.flatMap(codes)).toEqual([]);
  });
  expectUnharmed(report);
  const { merchantId } = service.attacker.ctx;
  const [kept] = await service.database.owner.execute(sql`
    select count(*) filter (where erasure_id is null)::int as people,
      (select count(*)::int from webhook_delivery where merchant_id = ${merchantId} and length(data) > 100) as deliveries,
      (select count(*)::int from erasure where merchant_id = ${merchantId}) as receipts
    from customer where merchant_id = ${merchantId}`);
  expect(kept).toEqual({ people: 0, deliveries: 0, receipts: lists.length });
}, 240_000);

it('requests that adjust the same ten counts a thousand times each delay nobody else', async () => {
  const places = await stockPlaces();
  const input = () =>
    Array.from({ length: ADJUSTED }, (_, n) => ({
      ...places[n % COUNTED_VARIANTS]!,
      delta: 1,
      kind: 'RECEIVED',
      key: newId(),
    }));
  const report = await attack(`${ADJUSTMENTS_AT_ONCE * ADJUSTED} adjustments`, service, async () => {
    const adjust = async () => await service.attacker.send({ query: ADJUST, variables: { input: input() } });
    const answers = await Promise.all(Array.from({ length: ADJUSTMENTS_AT_ONCE }, adjust));
    expect(answers.flatMap(codes)).toEqual([]);
  });
  expectUnharmed(report);
  const counts = await service.database.owner.execute<{ count: number }>(sql`
    select stock_count::float as count from product_stock_location
    where merchant_id = ${service.attacker.ctx.merchantId} and stock_location_id = ${places[0]!.stockLocationId}`);
  expect(counts.map(({ count }) => count)).toEqual(
    Array(COUNTED_VARIANTS).fill((ADJUSTMENTS_AT_ONCE * ADJUSTED) / COUNTED_VARIANTS),
  );
}, 240_000);

it('a product of 1,000 variants and 50 price lists, each based on the one before, delays no other merchant', async () => {
  const merchant = await service.createMerchant();
  await service.database.db.execute(sql`
    insert into price_list (merchant_id, name, currency, type, rule_list)
    select ${merchant.ctx.merchantId}, 'Other', 'EUR', 'MANUAL', ${JSON.stringify(entries(null))}::json
    from generate_series(1, ${sql.raw(String(OTHER_LISTS))})`);
  const variants = Array.from({ length: PRICED_VARIANTS }, (_, index) => ({
    prices: [{ sellPrice: 1 + index / 100 }],
  }));
  const product = { name: 'Priced', type: 'PHYSICAL', variants };
  const saveProduct = 'mutation ($input: ProductInput!) { saveProduct(input: $input) { id } }';
  expect(codes(await merchant.send({ query: saveProduct, variables: { input: product } }))).toEqual([]);
  const report = await attack('a chain of computing price lists', service, async () => {
    let base: string | null = null;
    for (let place = 0; place < LISTS; place++) base = await saveList(merchant, base);
    // The first list of a merchant has an effect within a second.
    await vi.waitFor(
      async () => expect(await shownPrices(merchant)).toEqual(variants.map(() => 1 + LISTS)),
      EFFECT_TIMEOUT_MS,
    );
  });
  expectUnharmed(report);
  const query = '{ listProduct { data { variants { prices { sellPrice } } } } }';
  const atOnce = await attack(`${PAGES_AT_ONCE} pages of computed prices at once`, service, async () => {
    await Promise.all(Array.from({ length: PAGES_AT_ONCE }, async () => await merchant.send({ query })));
  });
  expectUnharmed(atOnce);
});

/** Different searches, so that none gets the result of another one. */
function searches(count = SEARCHES): string {
  const fields = Array.from(
    { length: count },
    (_, index) =>
      `s${index}: searchProducts(input: {pagination: {limit: 1, page: ${index + 1}}}) { totalCount facets { field values { id name count } } }`,
  );
  return `{ ${fields.join(' ')} }`;
}

async function runningStatements(): Promise<number> {
  const [row] = await service.database.db.execute<{ count: number }>(sql`
    select count(*)::int as "count" from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query like '%facets%'`);
  return row!.count;
}

/** The ids of the attacker's brands, tags and categories, by table. */
async function attackersIds(): Promise<Record<string, string[]>> {
  const entries = ['product_brand', 'product_tag', 'category'].map(async (table) => {
    const rows = await service.database.owner.execute<{ id: string }>(
      sql`select id from ${sql.identifier(table)} where merchant_id = ${service.attacker.ctx.merchantId} limit 1000`,
    );
    return [table, rows.map(({ id }) => id)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function peopleWithDeliveries(): Promise<string[]> {
  const { db, merchantId, session } = service.attacker.ctx;
  const people = await db.execute<{ id: string }>(sql`
    insert into customer (merchant_id, first_name, email)
    select ${merchantId}, 'Ada', n || '@example.com' from generate_series(1, ${PEOPLE}::int) n returning id`);
  await db.execute(sql`
    insert into webhook_delivery
      (merchant_id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, state, attempts)
    select merchant_id, uuid_v7(), ${session.authorizedAppId}, 'store/customer/updated', 'https://receiver.example/', id, n,
      rpad('{"id":"1","note":"', 2000, 'x') || '"}', 'DELIVERED', 1
    from customer, generate_series(1, ${DELIVERIES}::int) n where merchant_id = ${merchantId}`);
  return people.map(({ id }) => id);
}

async function stockPlaces() {
  const { attacker } = service;
  const saved = await attacker.send({
    query: 'mutation { saveStockLocation(input: { name: "Shop" }) { id } }',
  });
  const stockLocationId = (saved.body.data!.saveStockLocation as { id: string }).id;
  const places: { productId: string; variantId: string; stockLocationId: string }[] = [];
  for (let n = 0; n < COUNTED_VARIANTS; n++) {
    const { body } = await attacker.send({
      query: `mutation { saveProduct(input: { name: "Tee", type: PHYSICAL, variants: [{ sku: "${n}", prices: [{ sellPrice: 1 }] }] }) { id variants { id } } }`,
    });
    const product = body.data!.saveProduct as { id: string; variants: { id: string }[] };
    places.push({ productId: product.id, variantId: product.variants[0]!.id, stockLocationId });
  }
  return places;
}

/** The number of prices of each variant of the merchant's only product. */
async function shownPrices(merchant: Merchant): Promise<number[]> {
  const query = '{ listProduct { data { variants { prices { priceListId sellPrice isComputed } } } } }';
  const answer = await merchant.send({ query });
  expect(codes(answer)).toEqual([]);
  const { data } = answer.body.data!['listProduct'] as { data: { variants: { prices: object[] }[] }[] };
  return data[0]!.variants.map(({ prices }) => prices.length);
}

/** Entries of which only the last one gives prices, because the results of the others are too large. */
function entries(basePriceListId: string | null): object[] {
  const rules = Array.from({ length: RULES }, (_, index) => ({
    amount: 0.123_456_789_012_345,
    amountType: 'RATIO',
    operationType: index % 2 === 0 ? 'INCREASE' : 'DECREASE',
  }));
  const rate = (amount: number) => ({ amount, type: 'CUSTOM_RATE' });
  return Array.from({ length: ENTRIES }, (_, index) => ({
    basePriceListId,
    currencyRateSettings: rate(index < ENTRIES - 1 ? 9_999_999_999_999 : 1.000_000_000_001),
    currencySettings: {},
    rules,
  }));
}

async function saveList(merchant: Merchant, base: string | null): Promise<string> {
  const input = {
    name: 'Computing',
    currency: 'EUR',
    type: 'DYNAMIC',
    addProductsAutomatically: true,
    ruleList: entries(base),
  };
  const query = 'mutation ($input: PriceListInput!) { savePriceList(input: $input) { id } }';
  const answer = await merchant.send({ query, variables: { input } });
  expect(codes(answer)).toEqual([]);
  return (answer.body.data!['savePriceList'] as { id: string }).id;
}

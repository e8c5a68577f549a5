import fc from 'fast-check';
import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchInput } from '../../../src/graphql/generated/types.ts';
import { searchProducts } from '../../../src/product/searchProducts.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { seeds } from '../../support/random.ts';
import { argsOf, type Condition, conditionsOn, oracleOf } from '../filter/random-conditions.ts';
import { createRandomShop, type RandomShop } from '../filter/random-shop.ts';

const SEED = Number(process.env.FILTER_SEED ?? seeds(1)[0]);
const DRAWN = Number(process.env.FILTER_RUNS ?? 15);
const LIMIT = 200;
const PAGE_SIZE = 20;

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let shop: RandomShop;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  shop = await createRandomShop(database, SEED);
  // The products of a second merchant must not be found or counted.
  await createRandomShop(database, SEED);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

const selection = {
  totalCount: {},
  results: { id: {} },
  facets: { field: {}, values: { id: {}, name: {}, count: {} } },
};

/** The merchant's condition as a parameter, so that the statement runs on a cluster too. */
const ofShop = (alias: string): SQL => sql`${sql.raw(alias)}.merchant_id = ${shop.merchantId}`;

/** The values of a product `p` that a facet counts, and the name of the facet's own condition, which it ignores. */
const facetQueries = (): { field: string; own: string; values: SQL }[] => [
  {
    field: 'BRAND',
    own: 'brandId',
    values: sql`select b.id, b.name from product_brand b where ${ofShop('b')} and b.id = p.brand_id`,
  },
  {
    field: 'CATEGORY',
    own: 'categoryIds',
    values: sql`
      select c.id, c.name from category c where ${ofShop('c')} and not c.deleted and case when c.by_conditions
        then exists (select from category_product m where ${ofShop('m')} and m.product_id = p.id and m.category_id = c.id and m.by_conditions)
        else c.id = any(p.category_ids) end`,
  },
  {
    field: 'TAG',
    own: 'tagIds',
    values: sql`select t.id, t.name from product_tag t where ${ofShop('t')} and t.id = any(p.tag_ids)`,
  },
  { field: 'TYPE', own: 'type', values: sql`select p.type as id, p.type as name` },
  {
    field: 'VARIANT_VALUE',
    own: '',
    values: sql`
      select distinct o.id, o.name from variant v, json_to_recordset(v.variant_value_ids) as used("variantValueId" uuid), variant_value o
      where ${ofShop('v')} and ${ofShop('o')} and v.product_id = p.id and not v.deleted and o.id = used."variantValueId"`,
  },
];

async function facetsOf(conditions: readonly Condition[], query: string | null): Promise<unknown[]> {
  const facets: unknown[] = [];
  for (const { field, own, values } of facetQueries()) {
    const others = conditions.filter(({ name }) => name !== own);
    const rows = await database.db.execute<{ id: string; name: string; count: number }>(sql`
      select value.id, value.name, count(*)::int as count from product p, lateral (${values}) as value
      where ${matching(others, query)} group by 1, 2 order by 3 desc, 2, 1`);
    facets.push({ field, values: [...rows] });
  }
  return facets;
}

async function idsOf(conditions: readonly Condition[], query: string | null, order = sql`p.id`): Promise<string[]> {
  const rows = await database.db.execute<{ id: string }>(sql`
    select p.id from product p where ${matching(conditions, query)} order by ${order}`);
  return rows.map(({ id }) => id);
}

/** The products that match, in plain SQL. The words of the queries occur only in names. */
function matching(conditions: readonly Condition[], query: string | null): SQL {
  const named = query === null ? sql`true` : sql`lower(p.name) like ${`%${query}%`}`;
  return sql`p.merchant_id = ${shop.ctx.merchantId} and ${oracleOf(conditions)} and ${named}`;
}

const search = (input: SearchInput, selected: object = selection) =>
  searchProducts(shop.ctx, { input }, selected as never);

describe('a search with conditions', () => {
  it(`finds and counts the same as plain SQL, in ${DRAWN} combinations (seed ${SEED})`, async () => {
    const conditions = conditionsOn(shop).map((all) => all.filter(({ name }) => name !== 'createdAt'));
    const queries = fc.option(fc.constantFrom('shirt', 'mug', 'red'));
    let found = 0;
    for (const [drawn, query] of fc.sample(fc.tuple(conditions, queries), { seed: SEED, numRuns: DRAWN })) {
      const input = { ...(argsOf(drawn) as SearchInput), query, pagination: { limit: LIMIT } };
      const { totalCount, results, facets } = await search(input);
      expect(results.map(({ id }) => id).sort(), JSON.stringify(input)).toEqual(await idsOf(drawn, query));
      expect(totalCount).toBe(results.length);
      expect(facets, JSON.stringify(input)).toEqual(await facetsOf(drawn, query));
      found += totalCount;
    }
    expect(found).toBeGreaterThan(DRAWN);
  });

  it('finds the same products as listProduct with the same conditions', async () => {
    const brandId = { in: shop.brands.slice(0, 2) };
    const { data } = await api.call(shop.ctx, 'listProduct', { brandId, type: { ne: 'BUNDLE' } });
    const found = await api.call(shop.ctx, 'searchProducts', { input: { brandId, type: { ne: 'BUNDLE' } } });
    const listed = (data!['listProduct'] as { data: object[] }).data;
    expect(listed.length).toBeGreaterThan(0);
    expect((found.data!['searchProducts'] as { results: object[] }).results).toEqual(listed);
  });
});

describe('the sort of a search', () => {
  const price = (list: string | null) => sql`(
    select min(coalesce(row."discountPrice", row."sellPrice"))
    from variant v, json_to_recordset(v.prices) as row("sellPrice" numeric, "discountPrice" numeric, "priceListId" uuid)
    where ${ofShop('v')} and v.product_id = p.id and not v.deleted and row."priceListId" is not distinct from ${list}::uuid)`;
  const name = sql`p.name collate "und-x-icu"`;

  it.each<[string, () => SQL]>([
    ['name', () => sql`${name}, p.id`],
    ['-name', () => sql`${name} desc, p.id`],
    ['name desc', () => sql`${name} desc, p.id`],
    ['createdAt:ASC', () => sql`p.created_at, p.id`],
    ['createdAt', () => sql`p.created_at, p.id`],
    ['-createdAt', () => sql`p.created_at desc, p.id`],
    ['relevance', () => sql`p.created_at desc, p.id`],
    ['price', () => sql`${price(null)} nulls last, p.id`],
    ['-price', () => sql`${price(null)} desc nulls last, p.id`],
  ])('by %s puts each product on one page, with and without conditions', async (sort, order) => {
    for (const input of [{}, { type: { ne: 'BUNDLE' as const } }, { price: { gte: 5 } }]) {
      const conditions = [
        ...(input.type ? [{ name: 'type' as const, filter: input.type, oracle: sql`p.type <> 'BUNDLE'` }] : []),
        ...(input.price
          ? [
              {
                name: 'price' as const,
                filter: input.price,
                oracle: sql`exists (
                  select from variant v, json_to_recordset(v.prices) as row("sellPrice" numeric, "discountPrice" numeric, "priceListId" uuid)
                  where ${ofShop('v')} and v.product_id = p.id and not v.deleted and row."priceListId" is null
                    and coalesce(row."discountPrice", row."sellPrice") >= 5)`,
              },
            ]
          : []),
      ];
      expect(await pages({ ...input, sort })).toEqual(await idsOf(conditions, null, order()));
      if (sort !== 'relevance')
        expect(await pages({ ...input, sort, query: 'mug' })).toEqual(await idsOf(conditions, 'mug', order()));
    }
  });

  it('by price compares the prices of the price list', async () => {
    const [list] = shop.priceLists;
    const expected = await idsOf([], null, sql`${price(list!)} nulls last, p.id`);
    expect(await pages({ sort: 'price', price: { priceListId: list! } })).toEqual(expected);
    expect(expected).not.toEqual(await idsOf([], null, sql`${price(null)} nulls last, p.id`));
  });

  it('by relevance pages what a query finds, each product once', async () => {
    const ids = await pages({ query: 'shirt', type: { ne: 'BUNDLE' } });
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(PAGE_SIZE);
    expect(await pages({ query: 'shirt', type: { ne: 'BUNDLE' }, sort: 'relevance' })).toEqual(ids);
  });

  async function pages(input: SearchInput): Promise<string[]> {
    const ids: string[] = [];
    for (let page = 1; ; page++) {
      const found = await search({ ...input, pagination: { limit: PAGE_SIZE, page } }, { results: { id: {} } });
      ids.push(...found.results.map(({ id }) => id));
      if (!found.hasNext) return ids;
    }
  }
});

describe('bad input of a search', () => {
  it.each<[string, object, (string | number)[]]>([
    ['an unknown sort', { sort: 'rank' }, ['sort']],
    ['relevance downwards', { sort: '-relevance' }, ['sort']],
    ['relevance with a direction', { sort: 'relevance desc' }, ['sort']],
    ['a property of all objects', { sort: '__proto__' }, ['sort']],
    ['SQL', { sort: 'name; drop table product' }, ['sort']],
    ['1 MB', { sort: 'x'.repeat(1_000_000) }, ['sort']],
    ['a long list', { brandId: { in: Array(1_001).fill('x') } }, ['brandId', 'in']],
    ['a long text', { tagIds: { like: 'x'.repeat(256) } }, ['tagIds', 'like']],
    ['a long id', { price: { priceListId: 'x'.repeat(256) } }, ['price', 'priceListId']],
    ['a cursor', { pagination: { after: 'x' } }, ['pagination', 'after']],
  ])('names the member: %s', async (_, input, path) => {
    const { errors } = await api.call(shop.ctx, 'searchProducts', { input });
    expect(errors).toMatchObject([
      { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['input', ...path] }] } },
    ]);
  });

  it('finds nothing by invalid ids', async () => {
    for (const condition of [{ brandId: { eq: 'x' } }, { tagIds: { in: ["'"] } }, { categoryIds: { eq: 'x' } }])
      expect((await search(condition)).totalCount).toBe(0);
  });
});

import { getNamedType, type GraphQLOutputType, isObjectType, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { MAX_REQUEST_COST, type OperationCost } from '../../../src/graphql/cost/request-cost.ts';
import { buildSchema, readSources } from '../../../src/graphql/schema/schema.ts';
import { resolvers } from '../../../src/resolvers.ts';
import { preparedOperation } from '../../support/execute.ts';
import { ladder, placesOf } from '../../support/ladder.ts';

const schema = buildSchema(readSources(), resolvers);

describe('the cost of a query', () => {
  it.each<[string, string, number]>([
    ['a record', '{ me { id name } }', 1],
    ['what is not asked for twice', '{ me { id id } me { name } }', 1],
    ['the names of types', '{ __typename me { __typename } }', 1],
    ['the name of the type of mutations', 'mutation { __typename }', 0],
    ['each alias', '{ a: me { id } b: me { id } c: me { name } }', 3],
    ['a list of 50 without a page', '{ listProductTag { id name } }', 50],
    ['a page of the size that is asked for', '{ listProductTag(pagination: {limit: 7}) { id } }', 8],
    ['a page of at most 200', '{ listProductTag(pagination: {limit: 2000000000}) { id } }', 201],
    ['a page of at least none', '{ listProductTag(pagination: {limit: -5}) { id } }', 1],
    ['records in a page', '{ listProduct(pagination: {limit: 10}) { data { id } } }', 12],
    [
      'records below records',
      '{ listProduct(pagination: {limit: 10}) { data { brand { id } variants { prices { sellPrice } } } } }',
      1 + 10 * (1 + 1 + 3 * (1 + 2)) + 1,
    ],
    [
      'a list below a list under two names',
      '{ listProduct(pagination: {limit: 10}) { data { a: tags { id } b: tags { id } } } }',
      1 + 10 * (1 + 2 + 2) + 1,
    ],
    [
      'long texts',
      '{ listProduct(pagination: {limit: 10}) { data { description a: description } } }',
      1 + 10 * (1 + 1 + 1) + 1,
    ],
    ['the count of all matches', '{ listProduct(pagination: {limit: 10}) { count } }', 102],
    [
      'a search',
      '{ searchProducts(input: {query: "x", pagination: {limit: 20}}) { totalCount results { id } } }',
      2_000 + 20 + 1,
    ],
    [
      'facets',
      '{ searchProducts(input: {query: "x", pagination: {limit: 20}}) { facets { values { id } } } }',
      2_000 + 5 * (4_000 + 20) + 1,
    ],
    ['a filter that looks into texts', '{ listProductTag(name: {like: "x"}) { id } }', 151],
    [
      'the entries of a filter',
      '{ listProductTag(pagination: {limit: 1}, id: {in: ["a", "b", "c", "d", "e", "f", "g", "h"]}) { id } }',
      1 + 0.8 + 0.2 + 0.2,
    ],
    [
      'the fields of a fragment once',
      '{ ...A ...A } fragment A on Query { listProductTag { ...B id ...B } } fragment B on ProductTag { name }',
      50,
    ],
    [
      'no fields that @skip or @include leaves out',
      '{ me @skip(if: true) { id } listProductTag @include(if: false) { id } getMerchant { id } }',
      1,
    ],
    ['questions about the schema', '{ __schema { description } __type(name: "Product") { name } }', 2_100],
  ])('has %s', (_, query, points) => {
    expect(cost(query)).toBe(Math.ceil(points));
  });

  it('follows the variables', () => {
    const query =
      'query ($page: PaginationInput, $limit: Int = 30, $yes: Boolean!) { a: listProductTag(pagination: $page) { id } b: listProductTag(pagination: {limit: $limit}) @include(if: $yes) { id } }';
    expect(cost(query, { yes: true })).toBe(50 + 30 + 1);
    expect(cost(query, { page: { limit: 10 }, yes: true })).toBe(10 + 30 + 1);
    expect(cost(query, { page: { limit: 10 }, limit: 5, yes: true })).toBe(10 + 5 + 1);
    expect(cost(query, { page: { limit: 10 }, limit: 5, yes: false })).toBe(11);
    expect(cost(query, { page: 'wrong', yes: 'wrong' })).toBe(50);
  });

  it('of all fields of 200 products is about a quarter of what a request may cost, and of every other list less than half', () => {
    const ofAll = Object.values(schema.getQueryType()!.getFields()).map((field) => {
      const pagination =
        field.name === 'searchProducts' ? '(input: {pagination: {limit: 200}})' : '(pagination: {limit: 200})';
      const args = field.args.some(({ name }) => ['pagination', 'input'].includes(name))
        ? pagination
        : field.name === 'getBulkOperation'
          ? '(id: "x")'
          : '';
      return { name: field.name, points: cost(`{ ${field.name}${args} ${everything(field.type)} }`) };
    });
    expect(ofAll.filter(({ points }) => points >= MAX_REQUEST_COST / 2)).toEqual([]);
    expect(ofAll.find(({ name }) => name === 'listProduct')!.points).toBeLessThan(MAX_REQUEST_COST * 0.26);
  });

  it('allows four searches with facets in one request, but not five', () => {
    const searches = (count: number) =>
      cost(
        `{ ${Array.from({ length: count }, (_, index) => `a${index}: searchProducts(input: {query: "x"}) { totalCount results { id name } facets { field values { id name count } } }`).join(' ')} }`,
      );
    expect(searches(4)).toBeLessThanOrEqual(MAX_REQUEST_COST);
    expect(searches(5)).toBeGreaterThan(MAX_REQUEST_COST);
  });

  it('is computed in linear time for a ladder of fragments, below any field', () => {
    for (const place of placesOf(schema)) {
      expect(
        cost(`${place.document('{...F0}')} ${ladder(place.type.name, 150, '__typename')}`, place.variables),
        place.name,
      ).toBeLessThan(MAX_REQUEST_COST);
    }
  });
});

describe('the cost of a mutation', () => {
  const save = 'mutation ($input: ProductInput!) { saveProduct(input: $input) { id } }';
  const variant = { prices: [{ sellPrice: 1 }, { sellPrice: 2, priceListId: 'x' }] };

  it('grows with each entry of its lists', () => {
    expect(cost(save, { input: { name: 'x', type: 'PHYSICAL', variants: [] } })).toBe(Math.ceil(100 + 0.2));
    expect(
      cost(save, { input: { name: 'x', type: 'PHYSICAL', variants: Array.from({ length: 10 }, () => variant) } }),
    ).toBe(Math.ceil(100 + 0.2 + 10 * (5 + 0.2 + 0.4)));
    expect(cost(save, { input: { name: 'x', type: 'PHYSICAL', variants: variant } })).toBe(
      Math.ceil(100 + 0.2 + 5 + 0.2 + 0.4),
    );
    expect(
      cost('mutation ($ids: [String!]!) { deleteProductList(idList: $ids) }', {
        ids: Array.from({ length: 1_000 }, () => 'x'),
      }),
    ).toBe(5_100);
  });

  it('is the same for a literal, a literal with variables, and a variable', () => {
    const literal =
      'mutation ($prices: [ProductPriceInput!]!) { saveProduct(input: {name: "x", type: PHYSICAL, variants: [{prices: $prices}, {prices: [{sellPrice: 1}, {sellPrice: 2}]}]}) { id } }';
    expect(cost(literal, { prices: variant.prices })).toBe(
      cost(save, { input: { name: 'x', type: 'PHYSICAL', variants: [variant, variant] } }),
    );
  });

  it('counts a variable everywhere it is used, and reads it once', () => {
    let looked = 0;
    const entry = {
      get prices() {
        looked++;
        return variant.prices;
      },
    };
    const uses = Array.from({ length: 30 }, (_, index) => `a${index}: saveProduct(input: $input) { id }`).join(' ');
    expect(request(`mutation ($input: ProductInput!) { ${uses} }`).requested({ input: { variants: [entry] } })).toBe(
      30 * 105.8,
    );
    expect(looked).toBe(1);
  });

  it.each([
    [
      '1,000 products of 20 variants with everything',
      'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }',
      () => Array.from({ length: 1_000 }, bulkProduct),
    ],
    [
      '3,000 prices',
      'mutation ($input: SaveVariantPricesInput!) { saveVariantPrices(input: $input) }',
      () => ({ variantPriceInputs: Array.from({ length: 3_000 }, () => ({ price: { sellPrice: 1 } })) }),
    ],
    [
      '1,000 stock counts',
      'mutation ($input: SaveStockLocationsInput!) { saveProductStockLocations(input: $input) }',
      () => ({ productStockLocationInputs: Array.from({ length: 1_000 }, () => ({})) }),
    ],
    [
      'a product of 1,000 variants with 20 prices each',
      save,
      () => ({
        variants: Array.from({ length: 1_000 }, () => ({
          prices: Array.from({ length: 20 }, () => ({ sellPrice: 1 })),
        })),
      }),
    ],
  ])('allows %s', (_, query, input) => {
    expect(cost(query, { input: input() })).toBeLessThanOrEqual(MAX_REQUEST_COST);
  });

  it.each([
    [{ input: null }],
    [{}],
    [null],
    [{ input: 'x' }],
    [{ input: [[null, [null]]] }],
    [{ input: { variants: [null, 'x', [[]]] } }],
  ])('is a number for invalid variables: %j', (variables) => {
    expect(cost(save, variables)).toBeGreaterThanOrEqual(100);
  });
});

describe('the most expensive field', () => {
  it('is named by its response key', () => {
    expect(
      request('{ me { id } a: listProductTag { id } b: searchProducts(input: {}) { totalCount } }').mostExpensiveField(
        {},
      ),
    ).toEqual({ key: 'b', name: 'searchProducts', points: 2_000.2 });
  });
});

describe('the cost of an answer', () => {
  it('is computed with the lists in it', () => {
    const listed = request('{ listProduct { count data { id brand { id } variants { sku prices { sellPrice } } } } }');
    const data = {
      listProduct: {
        count: 2,
        data: [
          { id: '1', brand: null, variants: [{ sku: 'a', prices: [{ sellPrice: 1 }] }] },
          { id: '2', brand: { id: 'b' }, variants: [] },
        ],
      },
    };
    expect(listed.actual({}, data)).toBe(1 + 100 + (1 + 1 + 1) + (1 + 1));
    expect(request('{ x: searchProducts(input: {}) { results { id } } }').actual({}, { x: null })).toBe(2_001);
    const inherited = '{ x: searchProducts(input: {}) { constructor: results { id } __proto__: facets { id } } }';
    expect(request(inherited).actual({}, { x: null })).toBe(
      request('{ x: searchProducts(input: {}) { totalCount } }').actual({}, { x: null }),
    );
  });
});

function cost(query: string, variables: Record<string, unknown> | null = {}): number {
  const asked = request(query);
  const first = asked.requested(variables);
  expect(asked.requested(variables)).toBe(first);
  return first;
}

function request(query: string): OperationCost {
  return preparedOperation(schema, parse(query)).cost;
}

function everything(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  return isObjectType(named)
    ? `{ ${Object.values(named.getFields())
        .map((field) => `${field.name} ${everything(field.type)}`)
        .join(' ')} }`
    : '';
}

function bulkProduct() {
  const variant = { prices: [{}, {}], images: [{}, {}, {}], stocks: [{}, {}], variantValues: [{}, {}] };
  return {
    categories: [{}, {}],
    tags: [{}, {}],
    productVariantTypes: [{ variantValues: [{}, {}] }],
    brand: {},
    metaData: {},
    variants: Array.from({ length: 20 }, () => variant),
  };
}

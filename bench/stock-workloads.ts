import { readWorkloads } from './read-workloads.ts';
import type { GraphQLRequest, Shop, Workload } from './workload.ts';

/** The same in all databases, so that a request has the same text for each of them. */
export const STOCK_LOCATION_ID = '019a0000-0000-7000-8000-000000000001';
export const HOT_ROWS = 10;
export const BULK_SIZE = 1_000;
/** Numbers of requests are far apart between measurements. */
const MAX_NUMBER = 999_983;
const DELTAS = 3;

const ADJUST = 'mutation ($input: [AdjustStockInput!]!) { adjustStock(input: $input) { id sequence countAfter } }';
const SAVE = 'mutation ($input: SaveStockLocationsInput!) { saveProductStockLocations(input: $input) }';
const readProduct = readWorkloads.find(({ name }) => name === 'W2N')!;

/** Changes of stock counts. Not among the compared workloads. */
export const stockWorkloads: Workload[] = [
  {
    name: 'S1',
    title: `one movement on one of ${HOT_ROWS} counts`,
    distinct: Infinity,
    request: adjustment,
    answer: (data) => data,
  },
  {
    name: 'S2',
    title: 'a read of a product, and then a movement',
    distinct: Infinity,
    request: (shop, n) => (n % 2 === 0 ? readProduct.request(shop, n) : adjustment(shop, n)),
    answer: (data) => data,
  },
  {
    name: 'S3',
    title: `set ${BULK_SIZE} counts, each to another number`,
    distinct: Infinity,
    connections: 1,
    request: (shop, n) => setCounts(shop, n % MAX_NUMBER),
    answer: (data) => data,
  },
  {
    name: 'S4',
    title: `set ${BULK_SIZE} counts to the number that they have`,
    distinct: 1,
    connections: 1,
    request: (shop) => setCounts(shop, 0),
    answer: (data) => data,
  },
];

/** The nth movement: `row` is the number of the hot count that it changes, from 0, and `delta` what it adds. */
export function nthAdjustment(n: number): { row: number; delta: number } {
  return { row: n % HOT_ROWS, delta: (n % DELTAS) + 1 };
}

function adjustment({ products }: Shop, n: number): GraphQLRequest {
  const { row, delta } = nthAdjustment(n);
  const { id: productId, variants } = products[row]!;
  const entry = { productId, variantId: variants[0]!.id, stockLocationId: STOCK_LOCATION_ID, delta, key: String(n) };
  return { query: ADJUST, variables: { input: [entry] } };
}

/** Sets all counts to `base` plus their positions. With another `base` in the next request each count changes. */
function setCounts(shop: Shop, base: number): GraphQLRequest {
  const productStockLocationInputs = Array.from({ length: BULK_SIZE }, (_, n) => ({
    ...bulkRow(shop, n),
    stockCount: base + n,
  }));
  return { query: SAVE, variables: { input: { productStockLocationInputs } } };
}

function bulkRow({ products }: Shop, n: number) {
  const { id: productId, variants } = products[n]!;
  return { productId, variantId: variants[0]!.id, stockLocationId: STOCK_LOCATION_ID };
}

import type { Exchange, Shop, Workload } from './workload.ts';
import * as peer from './peer-documents.ts';

const DISTINCT = 500;
const LIMIT = 20;
const LONG_LIMIT = 200;
const FAR_AHEAD_MS = Date.UTC(2200, 0);

/** The fields of W1 and most other workloads. */
export const productSelection = `id name type createdAt brand { id name } categories { id name } tags { id name }
  variants { id sku barcodeList prices { priceListId sellPrice buyPrice } }`;

type Listed = { listProduct: { data: unknown[] } };
const listed = ({ listProduct }: Listed): unknown => listProduct.data;

const page = (pagination: (shop: Shop) => object): Exchange => ({
  request: (shop) => ({
    query: `query ($pagination: PaginationInput) { listProduct(pagination: $pagination) { data { ${productSelection} } } }`,
    variables: { pagination: pagination(shop) },
  }),
  answer: listed,
});

/** A page with a different filter in each request: changed before a future time, one millisecond later each time. */
const newPage = (limit: number): Pick<Workload, 'distinct' | 'request' | 'answer' | 'peer'> => ({
  distinct: Infinity,
  request: (_, n) => ({
    query: `query ($pagination: PaginationInput, $updatedAt: DateFilterInput) { listProduct(pagination: $pagination, updatedAt: $updatedAt) { data { ${productSelection} } } }`,
    variables: { pagination: { limit }, updatedAt: { lt: FAR_AHEAD_MS + n } },
  }),
  answer: listed,
  peer: peer.changedPage(limit, (n) => FAR_AHEAD_MS + n),
});

const byId: Pick<Workload, 'request' | 'answer' | 'peer'> = {
  request: (shop, n) => ({
    query: `query ($id: StringFilterInput) { listProduct(id: $id) { data { ${productSelection} } } }`,
    variables: { id: { eq: productAt(shop, n).id } },
  }),
  answer: listed,
  peer: peer.byId((shop, n) => productAt(shop, n).id),
};

/** Spread over the shop, so that consecutive requests read distant rows. */
export function productAt({ products }: Shop, n: number) {
  return products[(n * 7_919) % products.length]!;
}

/** A colour and a noun, "navy kettle", the name of about one product in some thousand. */
function searchAt(shop: Shop, n: number): string {
  if (shop.searches) return shop.searches[n % shop.searches.length]!;
  const [thing, , colour] = productAt(shop, n).name.split(' ').reverse();
  return `${colour} ${thing}`;
}

export const readWorkloads: Workload[] = [
  {
    name: 'W1',
    title: 'a page of 20 products, newest first',
    distinct: 1,
    ...page(() => ({ limit: LIMIT })),
    peer: peer.page(() => ({ first: LIMIT })),
  },
  { name: 'W1N', title: 'W1, no request like another', hasFloor: true, ...newPage(LIMIT) },
  // Next to W1, with which they are compared.
  {
    name: 'W10',
    title: 'W1 at a deep page, by its number',
    distinct: 1,
    ...page(({ deepPage }) => ({ limit: LIMIT, page: deepPage })),
    peer: peer.page(({ deepPage }) => ({ first: LIMIT, offset: (deepPage - 1) * LIMIT })),
  },
  {
    name: 'W10C',
    title: 'W10 by a cursor',
    distinct: 1,
    ...page(({ deepCursor }) => ({ limit: LIMIT, after: deepCursor })),
  },
  { name: 'W2', title: 'one product by its id', distinct: DISTINCT, ...byId },
  { name: 'W2N', title: 'W2, another product each time', distinct: Infinity, hasFloor: true, ...byId },
  {
    name: 'W2L',
    title: 'W2N with the id as a literal',
    distinct: Infinity,
    request: (shop, n) => ({
      query: `{ listProduct(id: {eq: "${productAt(shop, n).id}"}) { data { ${productSelection} } } }`,
      variables: {},
    }),
    answer: listed,
  },
  {
    name: 'W3',
    title: 'one product by a sku',
    distinct: DISTINCT,
    hasFloor: true,
    request: (shop, n) => ({
      query: `query ($sku: StringFilterInput) { listProduct(sku: $sku) { data { ${productSelection} } } }`,
      variables: { sku: { eq: productAt(shop, n).variants[0]!.sku } },
    }),
    answer: listed,
    peer: peer.bySku((shop, n) => productAt(shop, n).variants[0]!.sku),
  },
  {
    name: 'W4',
    title: 'search with total, 20 hits, one connection',
    distinct: DISTINCT,
    connections: 1,
    request: (shop, n) => ({
      query: `query ($input: SearchInput!) { searchProducts(input: $input) { totalCount results { id name brand { id name } variants { id sku prices { sellPrice } } } } }`,
      variables: { input: { query: searchAt(shop, n), pagination: { limit: LIMIT } } },
    }),
    answer: ({ searchProducts }: { searchProducts: unknown }) => searchProducts,
  },
  {
    name: 'W8',
    title: 'me',
    distinct: 1,
    hasFloor: true,
    request: () => ({ query: '{ me { id name } }', variables: {} }),
    answer: ({ me }: { me: { name: string } }) => me.name,
    peer: peer.me(),
  },
  {
    name: 'W9',
    title: 'W1 with 200 products',
    distinct: 1,
    ...page(() => ({ limit: LONG_LIMIT })),
    peer: peer.page(() => ({ first: LONG_LIMIT })),
  },
  { name: 'W9N', title: 'W9, no request like another', hasFloor: true, ...newPage(LONG_LIMIT) },
];

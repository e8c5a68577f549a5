import type { Exchange, Shop, Workload } from './workload.ts';
import * as peer from './peer-documents.ts';

const DISTINCT = 500;
const LIMIT = 20;

const product = `id name type createdAt brand { id name } categories { id name } tags { id name }
  variants { id sku barcodeList prices { priceListId sellPrice buyPrice } }`;

type Listed = { listProduct: { data: unknown[] } };
const listed = ({ listProduct }: Listed): unknown => listProduct.data;

const page = (pagination: (shop: Shop) => object): Exchange => ({
  request: (shop) => ({
    query: `query ($pagination: PaginationInput) { listProduct(pagination: $pagination) { data { ${product} } } }`,
    variables: { pagination: pagination(shop) },
  }),
  answer: listed,
});

/** Spread over the shop, so that requests that follow each other are for rows far apart. */
export function productAt({ products }: Shop, n: number) {
  return products[(n * 7_919) % products.length]!;
}

/** A colour and a thing, "navy kettle", as one product in some thousand is called. */
function searchAt(shop: Shop, n: number): string {
  const [thing, , colour] = productAt(shop, n).name.split(' ').reverse();
  return `${colour} ${thing}`;
}

export const readWorkloads: Workload[] = [
  {
    name: 'W1',
    title: 'a page of 20 products, newest first',
    distinct: 1,
    hasFloor: true,
    ...page(() => ({ limit: LIMIT })),
    peer: peer.page(() => ({ first: LIMIT })),
  },
  {
    name: 'W2',
    title: 'one product by its id',
    distinct: DISTINCT,
    hasFloor: true,
    request: (shop, n) => ({
      query: `query ($id: StringFilterInput) { listProduct(id: $id) { data { ${product} } } }`,
      variables: { id: { eq: productAt(shop, n).id } },
    }),
    answer: listed,
    peer: peer.byId((shop, n) => productAt(shop, n).id),
  },
  {
    name: 'W2L',
    title: 'W2 with the id as a literal, another each time',
    distinct: Infinity,
    request: (shop, n) => ({ query: `{ listProduct(id: {eq: "${productAt(shop, n).id}"}) { data { ${product} } } }`, variables: {} }),
    answer: listed,
  },
  {
    name: 'W3',
    title: 'one product by a sku',
    distinct: DISTINCT,
    hasFloor: true,
    request: (shop, n) => ({
      query: `query ($sku: StringFilterInput) { listProduct(sku: $sku) { data { ${product} } } }`,
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
    answer: ({ me }: { me: unknown }) => me,
    peer: peer.me(),
  },
  { name: 'W9', title: 'W1 with 200 products', distinct: 1, hasFloor: true, ...page(() => ({ limit: 200 })), peer: peer.page(() => ({ first: 200 })) },
  {
    name: 'W10',
    title: 'W1 at a deep page, by its number',
    distinct: 1,
    hasFloor: true,
    ...page(({ deepPage }) => ({ limit: LIMIT, page: deepPage })),
    peer: peer.page(({ deepPage }) => ({ first: LIMIT, offset: (deepPage - 1) * LIMIT })),
  },
  { name: 'W10C', title: 'W10 by a cursor', distinct: 1, ...page(({ deepCursor }) => ({ limit: LIMIT, after: deepCursor })) },
];

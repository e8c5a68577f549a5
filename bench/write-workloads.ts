import * as peer from './peer-documents.ts';
import type { GraphQLRequest, Shop, ShopProduct, Workload } from './workload.ts';

const BULK_SIZE = 1_000;
/** Importers send few requests at a time. */
const BULK_CONNECTIONS = 4;
const BULK_SLICES = 10;
/** Each request sets a slice to another state than any request before, so that it changes every row. */
const BULK_STATES = 999_983;

export const writeWorkloads: Workload[] = [
  {
    name: 'W5',
    title: 'create a product with 3 variants',
    distinct: Infinity,
    request: (shop, n) => ({
      query: 'mutation ($input: ProductInput!) { saveProduct(input: $input) { name variants { sku } } }',
      variables: { input: newProduct(shop, n) },
    }),
    answer: ({ saveProduct }: { saveProduct: unknown }) => saveProduct,
    peer: peer.create(newProduct),
  },
  {
    name: 'W6',
    title: `update ${BULK_SIZE} products in one request`,
    ...bulk('products'),
    request: (shop, n) => ({
      query: 'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }',
      variables: { input: sliceOf(shop, n).map((product) => changedProduct(shop, product, stateOf(n))) },
    }),
    answer: ({ bulkUpdateProducts }: { bulkUpdateProducts: unknown }) => typeof bulkUpdateProducts,
  },
  {
    name: 'W7',
    title: `set ${BULK_SIZE} prices in one request`,
    ...bulk('prices'),
    request: changedPrices,
    answer: (data) => data,
  },
];

export type NewProduct = ReturnType<typeof newProduct>;

function newProduct({ brandId, tagId, category }: Shop, n: number) {
  return {
    name: `Bench product ${n}`,
    type: 'PHYSICAL',
    brandId,
    categoryIds: [category.id],
    tagIds: [tagId],
    variants: [0, 1, 2].map((index) => ({
      sku: `BENCH-${n}-${index}`,
      barcodeList: [`869${n}${index}`],
      prices: [{ sellPrice: 10 + index, buyPrice: 5.5 }],
    })),
  };
}

function bulk(unit: string) {
  return {
    distinct: Infinity,
    connections: BULK_CONNECTIONS,
    unit: { name: unit, perRequest: BULK_SIZE },
  };
}

function sliceOf({ products }: Shop, n: number): readonly ShopProduct[] {
  const start = (n % BULK_SLICES) * BULK_SIZE;
  return products.slice(start, start + BULK_SIZE);
}

function stateOf(n: number): number {
  return Math.floor(n / BULK_SLICES) % BULK_STATES;
}

function changedProduct({ category }: Shop, { id, name, variants }: ShopProduct, state: number) {
  return {
    id,
    name: `${name} ${state}`,
    type: 'PHYSICAL',
    categories: [{ name: [category.name] }],
    productVariantTypes: [],
    variants: variants.map((variant) => ({ ...variant, prices: [{ sellPrice: 10 + state }] })),
  };
}

function changedPrices(shop: Shop, n: number): GraphQLRequest {
  const rows = sliceOf(shop, n).flatMap(({ id, variants }) =>
    variants.map((variant) => ({ productId: id, variantId: variant.id })),
  );
  const variantPriceInputs = rows
    .slice(0, BULK_SIZE)
    .map((row) => ({ ...row, price: { sellPrice: 10.5 + stateOf(n), buyPrice: 5 } }));
  return {
    query: 'mutation ($input: SaveVariantPricesInput!) { saveVariantPrices(input: $input) }',
    variables: { input: { variantPriceInputs } },
  };
}

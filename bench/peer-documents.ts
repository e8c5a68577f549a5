import type { Exchange, Shop } from './workload.ts';
import type { NewProduct } from './write-workloads.ts';

/**
 * The workloads for PostGraphile's schema of the tables of an earlier commit, with the members of our selection under
 * our names and in lists, so that both sides answer about as many bytes. The response is converted to ours.
 */
const product = `
  id: rowId name type createdAt
  brand: productBrandByMerchantIdAndBrandId { id: rowId name }
  categories: productCategoriesByMerchantIdAndProductIdList(orderBy: POSITION_ASC) { category: categoryByMerchantIdAndCategoryId { id: rowId name } }
  tags: productTagRelationsByMerchantIdAndProductIdList(orderBy: POSITION_ASC) { tag: productTagByMerchantIdAndTagId { id: rowId name } }
  variants: variantsByMerchantIdAndProductIdList(condition: {deleted: false}, orderBy: POSITION_ASC) {
    id: rowId sku barcodeList prices: productPricesByMerchantIdAndProductIdAndVariantIdList { priceListId sellPrice buyPrice }
  }`;

type Named = { id: string; name: string };
type Price = { priceListId: string | null; sellPrice: string; buyPrice: string | null };
type Variant = { id: string; sku: string; barcodeList: string[]; prices: Price[] };
type Product = Named & {
  type: string;
  createdAt: string;
  brand: Named | null;
  categories: { category: Named }[];
  tags: { tag: Named }[];
  variants: Variant[];
};

type Page = { products: Product[] };
const pageAnswer = ({ products }: Page): unknown => products.map(asProduct);

export function page(range: (shop: Shop) => { first: number; offset?: number }): Exchange {
  return {
    request: (shop) => ({
      query: `query ($merchantId: UUID!, $first: Int, $offset: Int) {
        products: allProductsList(condition: {merchantId: $merchantId, deleted: false}, orderBy: CREATED_AT_DESC, first: $first, offset: $offset) { ${product} }
      }`,
      variables: { merchantId: shop.merchantId, ...range(shop) },
    }),
    answer: pageAnswer,
  };
}

/** The first page of the products that were changed before a time. */
export function changedPage(first: number, beforeMs: (n: number) => number): Exchange {
  return {
    request: ({ merchantId }, n) => ({
      query: `query ($merchantId: UUID!, $first: Int, $updatedAt: Datetime!) {
        products: allProductsList(condition: {merchantId: $merchantId, deleted: false}, filter: {updatedAt: {lessThan: $updatedAt}}, orderBy: CREATED_AT_DESC, first: $first) { ${product} }
      }`,
      variables: { merchantId, first, updatedAt: new Date(beforeMs(n)).toISOString() },
    }),
    answer: pageAnswer,
  };
}

export function byId(id: (shop: Shop, n: number) => string): Exchange {
  return {
    request: (shop, n) => ({
      query: `query ($merchantId: UUID!, $id: UUID!) { product: productByMerchantIdAndRowId(merchantId: $merchantId, rowId: $id) { ${product} } }`,
      variables: { merchantId: shop.merchantId, id: id(shop, n) },
    }),
    answer: (data: { product: Product }) => [asProduct(data.product)],
  };
}

export function bySku(sku: (shop: Shop, n: number) => string): Exchange {
  return {
    request: (shop, n) => ({
      query: `query ($merchantId: UUID!, $sku: String!) {
        variants: allVariantsList(condition: {merchantId: $merchantId, sku: $sku, deleted: false}) { product: productByMerchantIdAndProductId { ${product} } }
      }`,
      variables: { merchantId: shop.merchantId, sku: sku(shop, n) },
    }),
    answer: ({ variants }: { variants: { product: Product }[] }) =>
      variants.map((variant) => asProduct(variant.product)),
  };
}

export function me(): Exchange {
  return {
    request: ({ merchantId, authorizedAppId }) => ({
      query:
        'query ($merchantId: UUID!, $id: UUID!) { me: authorizedAppByMerchantIdAndRowId(merchantId: $merchantId, rowId: $id) { id: rowId name } }',
      variables: { merchantId, id: authorizedAppId },
    }),
    // Each database has its own app.
    answer: ({ me }: { me: Named }) => me.name,
  };
}

type Created = { saved: { product: { name: string; variants: { sku: string }[] } } };

/** One mutation: a function in the database, `peer/functions.sql`. */
export function create(product: (shop: Shop, n: number) => NewProduct): Exchange {
  return {
    request: (shop, n) => ({
      query: `mutation ($owner: UUID!, $data: JSON!) {
        saved: createWholeProduct(input: {owner: $owner, data: $data}) {
          product: result { name variants: variantsByMerchantIdAndProductIdList(orderBy: POSITION_ASC) { sku } }
        }
      }`,
      variables: { owner: shop.merchantId, data: product(shop, n) },
    }),
    answer: ({ saved }: Created) => saved.product,
  };
}

function asProduct({ createdAt, categories, tags, variants, ...product }: Product) {
  return {
    ...product,
    createdAt: Date.parse(createdAt),
    categories: categories.map(({ category }) => category),
    tags: tags.map(({ tag }) => tag),
    variants: variants.map((variant) => ({ ...variant, prices: pricesOf(variant) })),
  };
}

function pricesOf({ prices }: Variant) {
  return prices
    .toSorted((a, b) => (a.priceListId ?? '').localeCompare(b.priceListId ?? ''))
    .map(({ priceListId, sellPrice, buyPrice }) => ({
      priceListId,
      sellPrice: Number(sellPrice),
      buyPrice: buyPrice === null ? null : Number(buyPrice),
    }));
}

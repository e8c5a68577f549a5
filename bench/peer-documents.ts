import { newId } from '../src/db/sql/id.ts';
import type { Exchange, Shop } from './workload.ts';
import type { NewProduct } from './write-workloads.ts';

/** The workloads for PostGraphile's schema of the tables of an earlier commit. Its responses are converted to ours. */
const product = `
  rowId name type createdAt
  productBrandByMerchantIdAndBrandId { rowId name }
  productCategoriesByMerchantIdAndProductId(orderBy: POSITION_ASC) { nodes { categoryByMerchantIdAndCategoryId { rowId name } } }
  productTagRelationsByMerchantIdAndProductId(orderBy: POSITION_ASC) { nodes { productTagByMerchantIdAndTagId { rowId name } } }
  variantsByMerchantIdAndProductId(condition: {deleted: false}, orderBy: POSITION_ASC) {
    nodes { rowId sku barcodeList productPricesByMerchantIdAndProductIdAndVariantId { nodes { priceListId sellPrice buyPrice } } }
  }`;

type Nodes<Node> = { nodes: Node[] };
type Named = { rowId: string; name: string };
type Price = { priceListId: string | null; sellPrice: string; buyPrice: string | null };
type Variant = {
  rowId: string;
  sku: string;
  barcodeList: string[];
  productPricesByMerchantIdAndProductIdAndVariantId: Nodes<Price>;
};
type Product = Named & {
  type: string;
  createdAt: string;
  productBrandByMerchantIdAndBrandId: Named | null;
  productCategoriesByMerchantIdAndProductId: Nodes<{ categoryByMerchantIdAndCategoryId: Named }>;
  productTagRelationsByMerchantIdAndProductId: Nodes<{ productTagByMerchantIdAndTagId: Named }>;
  variantsByMerchantIdAndProductId: Nodes<Variant>;
};

export function page(range: (shop: Shop) => { first: number; offset?: number }): Exchange {
  return {
    request: (shop) => ({
      query: `query ($merchantId: UUID!, $first: Int, $offset: Int) {
        allProducts(condition: {merchantId: $merchantId, deleted: false}, orderBy: CREATED_AT_DESC, first: $first, offset: $offset) { nodes { ${product} } }
      }`,
      variables: { merchantId: shop.merchantId, ...range(shop) },
    }),
    answer: ({ allProducts }: { allProducts: Nodes<Product> }) => allProducts.nodes.map(asProduct),
  };
}

export function byId(id: (shop: Shop, n: number) => string): Exchange {
  return {
    request: (shop, n) => ({
      query: `query ($merchantId: UUID!, $id: UUID!) { productByMerchantIdAndRowId(merchantId: $merchantId, rowId: $id) { ${product} } }`,
      variables: { merchantId: shop.merchantId, id: id(shop, n) },
    }),
    answer: (data: { productByMerchantIdAndRowId: Product }) => [asProduct(data.productByMerchantIdAndRowId)],
  };
}

export function bySku(sku: (shop: Shop, n: number) => string): Exchange {
  return {
    request: (shop, n) => ({
      query: `query ($merchantId: UUID!, $sku: String!) {
        allVariants(condition: {merchantId: $merchantId, sku: $sku, deleted: false}) { nodes { productByMerchantIdAndProductId { ${product} } } }
      }`,
      variables: { merchantId: shop.merchantId, sku: sku(shop, n) },
    }),
    answer: ({ allVariants }: { allVariants: Nodes<{ productByMerchantIdAndProductId: Product }> }) =>
      allVariants.nodes.map((variant) => asProduct(variant.productByMerchantIdAndProductId)),
  };
}

export function me(): Exchange {
  return {
    request: ({ merchantId, authorizedAppId }) => ({
      query:
        'query ($merchantId: UUID!, $id: UUID!) { authorizedAppByMerchantIdAndRowId(merchantId: $merchantId, rowId: $id) { rowId name } }',
      variables: { merchantId, id: authorizedAppId },
    }),
    // Each database has its own app.
    answer: (data: { authorizedAppByMerchantIdAndRowId: Named }) => data.authorizedAppByMerchantIdAndRowId.name,
  };
}

/**
 * PostGraphile has no nested mutations, so there is one statement per row: the product, its rows in link tables, each
 * variant and its price.
 */
const creation = `mutation (
  $product: ProductInput!, $category: ProductCategoryInput!, $tag: ProductTagRelationInput!,
  $variant0: VariantInput!, $variant1: VariantInput!, $variant2: VariantInput!,
  $price0: ProductPriceInput!, $price1: ProductPriceInput!, $price2: ProductPriceInput!
) {
  createProduct(input: {product: $product}) { product { name } }
  createProductCategory(input: {productCategory: $category}) { clientMutationId }
  createProductTagRelation(input: {productTagRelation: $tag}) { clientMutationId }
  ${[0, 1, 2].map((index) => `variant${index}: createVariant(input: {variant: $variant${index}}) { variant { sku } }`).join(' ')}
  ${[0, 1, 2].map((index) => `price${index}: createProductPrice(input: {productPrice: $price${index}}) { clientMutationId }`).join(' ')}
}`;

type Created = { createProduct: { product: { name: string } } } & Record<
  `variant${number}`,
  { variant: { sku: string } }
>;

export function create(product: (shop: Shop, n: number) => NewProduct & { id: string }): Exchange {
  return {
    request: (shop, n) => ({ query: creation, variables: creationVariables(shop, product(shop, n)) }),
    answer: ({ createProduct, variant0, variant1, variant2 }: Created) => ({
      name: createProduct.product.name,
      variants: [variant0, variant1, variant2].map((created) => created!.variant),
    }),
  };
}

function creationVariables(
  { merchantId }: Shop,
  { id, variants, categoryIds, tagIds, ...product }: NewProduct & { id: string },
) {
  const owner = { merchantId, productId: id };
  const rows = variants.map(({ prices: [price], ...variant }, position) => {
    const variantId = newId();
    return [
      [`variant${position}`, { ...owner, ...variant, rowId: variantId, position }],
      [`price${position}`, { ...owner, ...price, variantId }],
    ];
  });
  return {
    product: { merchantId, rowId: id, ...product },
    category: { ...owner, categoryId: categoryIds[0], position: 0 },
    tag: { ...owner, tagId: tagIds[0], position: 0 },
    ...Object.fromEntries(rows.flat() as [string, object][]),
  };
}

function asProduct(row: Product) {
  return {
    ...named(row),
    type: row.type,
    createdAt: Date.parse(row.createdAt),
    brand: row.productBrandByMerchantIdAndBrandId && named(row.productBrandByMerchantIdAndBrandId),
    categories: row.productCategoriesByMerchantIdAndProductId.nodes.map((link) =>
      named(link.categoryByMerchantIdAndCategoryId),
    ),
    tags: row.productTagRelationsByMerchantIdAndProductId.nodes.map((link) =>
      named(link.productTagByMerchantIdAndTagId),
    ),
    variants: row.variantsByMerchantIdAndProductId.nodes.map(asVariant),
  };
}

function asVariant({ rowId, sku, barcodeList, productPricesByMerchantIdAndProductIdAndVariantId: prices }: Variant) {
  const byList = [...prices.nodes].sort((a, b) => (a.priceListId ?? '').localeCompare(b.priceListId ?? ''));
  return { id: rowId, sku, barcodeList, prices: byList.map(asPrice) };
}

function asPrice({ priceListId, sellPrice, buyPrice }: Price) {
  return { priceListId, sellPrice: Number(sellPrice), buyPrice: buyPrice === null ? null : Number(buyPrice) };
}

function named({ rowId, name }: Named) {
  return { id: rowId, name };
}

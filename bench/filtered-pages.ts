import { readFileSync } from 'node:fs';
import { connectOnce } from '../src/db/connection/connect.ts';
import { productSelection } from './read-workloads.ts';
import type { GraphQLRequest } from './workload.ts';

const definitions = new URL('groups.sql', import.meta.url);

/** The first 20 products of a filter, newest first by default, and the index that should serve it. */
export type FilteredPage = { title: string; request: () => GraphQLRequest; index: string };

/**
 * Adds the groups of products of `groups.sql` to the first generated shop, and returns for each group a request whose
 * filter finds it. `products` is the number of products in this shop.
 */
export async function createFilteredPages(databaseUrl: string, products: number): Promise<FilteredPage[]> {
  const client = connectOnce(databaseUrl);
  try {
    await client.unsafe(readFileSync(definitions, 'utf8'));
    await client`select bench.add_groups(${products}::int)`;
    await client.unsafe('vacuum analyze');
    const rows = await client<{ name: string; id: string }[]>`
      select kind || n as name, bench.id(kind, 0, n) as id
      from unnest('{category,brand,tag,channel,type,price}'::text[]) as kind, generate_series(1001, 1007) as n`;
    const ids = new Map(rows.map(({ name, id }) => [name, id]));
    return pagesOf((name) => ids.get(name)!);
  } finally {
    await client.end();
  }
}

function pagesOf(id: (name: string) => string): FilteredPage[] {
  const member = (name: string): string => `{eq: "${id(name)}"}`;
  return [
    page('a category with 50 products', `categoryIds: ${member('category1001')}`, 'category_product_newest only'),
    page(
      'a category with a twentieth of the products',
      `categoryIds: ${member('category1002')}`,
      'category_product_newest only',
    ),
    page(
      'a category with half of the products',
      `categoryIds: ${member('category1003')}`,
      'category_product_newest only',
    ),
    page(
      'a category with the 50 oldest products',
      `categoryIds: ${member('category1004')}`,
      'category_product_newest only',
    ),
    page(
      'a category with the oldest twentieth of the products',
      `categoryIds: ${member('category1005')}`,
      'category_product_newest only',
    ),
    page(
      'a category with the older half of the products',
      `categoryIds: ${member('category1006')}`,
      'category_product_newest only',
    ),
    page(
      'a category with 50 products, by name',
      `sort: "name", categoryIds: ${member('category1001')}`,
      'category_product_newest only',
    ),
    page('a brand with 50 products', `brandId: ${member('brand1001')}`, 'product_brand_id'),
    page('a vendor with 50 products', 'vendorId: {eq: "group"}', 'product_vendor'),
    page('a tag of 50 products', `tagIds: ${member('tag1001')}`, 'product_tag_ids'),
    page('a sales channel with 50 products', `salesChannelIds: ${member('channel1001')}`, 'product_sales_channel_ids'),
    page('an attribute of 50 products', `attributeId: ${member('type1002')}`, 'product_attribute_ids'),
    page('an attribute of a variant of 50 products', `attributeId: ${member('type1003')}`, 'variant_attribute_ids'),
    page('a variant type of 50 products', `variantTypeId: ${member('type1001')}`, 'variant_type_ids'),
    page('a product in 50 bundles', `bundleProductsProductId: ${member('tag1002')}`, 'variant_bundle_product_ids'),
    page(
      'a stock location of 50 products',
      `variantStockLocationId: ${member('price1001')}`,
      'product_stock_location_location',
    ),
    page(
      '100 products in two subcategories',
      `categoryIds: {eq: "${id('category1007')}", includeSubcategories: true}`,
      'category_product_newest only',
    ),
    page('50 products of a type', 'type: {eq: MEMBERSHIP}', 'product_type'),
    page('50 products of two types', 'type: {in: [MEMBERSHIP, SUBSCRIPTION]}', 'product_type'),
    page('50 products with a high price', 'price: {gte: 900000}', 'product_price_highest only'),
    page('50 products with a low price', 'price: {lt: 1}', 'product_price_lowest only'),
    page(
      '50 products with a price in a list',
      `price: {priceListId: "${id('price1003')}", gte: 1900000, lt: 2100000}`,
      'product_price_highest',
    ),
    page('50 products in stock', 'stock: {inStock: true}', 'product_stock_location_in_stock'),
    page(
      '50 products in stock at a location',
      `stock: {inStock: true, stockLocationIds: ["${id('price1001')}"]}`,
      'product_stock_location_in_stock',
    ),
    page('50 products that changed lately', `updatedAt: {gte: ${Date.UTC(2027, 0)}}`, 'product_updated'),
    page('a sku', 'sku: {eq: "SKU-000411-XL"}', 'variant_sku'),
    page('a barcode', 'barcodeList: {eq: "8690000001234"}', 'variant_barcode_list'),
    page('50 products without a brand', 'brandId: {isNull: true}', 'product_without_brand'),
    page('50 products without a vendor', 'vendorId: {isNull: true}', 'product_without_vendor'),
    page('50 products without a category', 'categoryIds: {isNull: true}', 'product_category_ids'),
    page('50 products without a sales channel', 'salesChannelIds: {isNull: true}', 'product_sales_channel_ids'),
    page('50 products without a sku', 'sku: {isNull: true}', 'variant_sku'),
    page('50 products without a barcode', 'barcodeList: {isNull: true}', 'variant_barcode_list'),
    page('50 products without options', 'variantTypeId: {isNull: true}', 'variant_without_type'),
  ];
}

function page(title: string, filter: string, index: string): FilteredPage {
  return {
    title,
    index,
    request: () => ({
      query: `{ listProduct(${filter}, pagination: {limit: 20}) { data { ${productSelection} } } }`,
      variables: {},
    }),
  };
}

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { updateMemberships } from '../../../src/product/membership/update-memberships.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';

type Saved = { id: string; values: Saved[] };
type List = [first: string, second: string, other: string];

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
/** Ids of which the product has the first two in its list, and not the third. */
let lists: Record<string, List>;
let productId: string;
beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
  ctx = await createContext(database.db);
  await saveProductWithLists();
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function answer<Result>(operation: string, variables: object): Promise<Result> {
  const { data, errors } = await server.call(ctx, operation, variables);
  expect(errors).toBeUndefined();
  return data![operation] as Result;
}

async function save(operation: string, input: object): Promise<Saved> {
  return await answer(operation, { input });
}

async function three(operation: string, input: object): Promise<List> {
  const ids: string[] = [];
  for (const name of ['A', 'B', 'C']) ids.push((await save(operation, { name, ...input })).id);
  return ids as List;
}

async function saveProductWithLists(): Promise<void> {
  const physical = { type: 'PHYSICAL', variants: [{ prices: [{ sellPrice: 1 }] }] };
  const bundled = await three('saveProduct', physical);
  const values = [{ name: 'v' }];
  const types: Saved[] = [];
  for (const name of ['A', 'B', 'C'])
    types.push(await save('saveVariantType', { name, selectionType: 'choice', values }));
  const [attribute, ofVariant, otherAttribute] = await three('saveProductAttribute', { type: 'TEXT' });
  const categories = await three('saveCategory', {});
  const below: string[] = [];
  for (const parentId of categories) below.push((await save('saveCategory', { name: 'below', parentId })).id);
  const conditions = [{ conditionType: 'PRODUCT_NAME', valueList: ['product with lists'] }];
  const automated = await save('saveCategory', { name: 'automated', isAutomated: true, conditions });
  const tagIds = await three('saveProductTag', {});
  const salesChannelIds = await three('saveSalesChannel', { type: 'STOREFRONT' });
  const variant = {
    prices: [{ sellPrice: 1 }],
    barcodeList: ['1', '2'],
    attributes: [{ productAttributeId: ofVariant, value: 'x' }],
    variantValueIds: types.slice(0, 2).map(({ id, values }) => ({ variantTypeId: id, variantValueId: values[0]!.id })),
    bundleSettings: {
      products: bundled
        .slice(0, 2)
        .map((id, order) => ({ id, productId: id, quantity: 1, order, filteredVariantIds: [] })),
    },
  };
  const product = await answer<Saved & { variants: Saved[] }>('saveProduct', {
    input: {
      name: 'product with lists',
      type: 'BUNDLE',
      categoryIds: below.slice(0, 2),
      tagIds: tagIds.slice(0, 2),
      salesChannelIds: salesChannelIds.slice(0, 2),
      attributes: [{ productAttributeId: attribute, value: 'x' }],
      variants: [variant],
      productVariantTypes: types
        .slice(0, 2)
        .map(({ id, values }, order) => ({ variantTypeId: id, order, variantValueIds: [values[0]!.id] })),
    },
  });
  await updateMemberships(database, new AbortController().signal);
  productId = product.id;
  const locations = await three('saveStockLocation', {});
  const productStockLocationInputs = locations.slice(0, 2).map((stockLocationId) => ({
    productId,
    variantId: product.variants[0]!.id,
    stockLocationId,
    stockCount: 0,
  }));
  await answer('saveProductStockLocations', { input: { productStockLocationInputs } });
  lists = {
    tagIds,
    salesChannelIds,
    categoryIds: below as List,
    trees: categories,
    automated: [below[0]!, automated.id, below[2]!],
    attributeId: [attribute, ofVariant, otherAttribute],
    variantTypeId: types.map(({ id }) => id) as List,
    variantStockLocationId: locations,
    bundleProductsProductId: bundled,
    barcodeList: ['1', '2', '3'],
  };
}

const ENTRIES = ['tagIds', 'salesChannelIds', 'categoryIds', 'attributeId', 'variantTypeId'];
const FILTERS = [...ENTRIES, 'variantStockLocationId', 'bundleProductsProductId', 'barcodeList'].map((name) => [
  name,
  name,
  {},
]);

it.each([...FILTERS, ['categoryIds', 'automated', {}], ['categoryIds', 'trees', { includeSubcategories: true }]] as [
  string,
  string,
  object,
][])('%s: eq and in may hold for different entries of the list (%s)', async (name, list, more) => {
  const [first, second, other] = lists[list]!;
  const listed = async (filter: object): Promise<number> =>
    (await answer<{ count: number }>('listProduct', { [name]: { ...filter, ...more } })).count;
  expect(await listed({ eq: first, in: [other, second] })).toBe(1);
  expect(await listed({ eq: second, in: [first] })).toBe(1);
  expect(await listed({ eq: first, in: [other] })).toBe(0);
  expect(await listed({ eq: other, in: [first, second] })).toBe(0);
  expect(await listed({ eq: first, in: [second], nin: [other] })).toBe(1);
});

it.each([
  'tagIds',
  'salesChannelIds',
  'variantTypeId',
  'variantStockLocationId',
  'bundleProductsProductId',
  'barcodeList',
])('%s: like may hold for another entry than eq', async (name) => {
  const [first, second, other] = lists[name]!;
  const listed = async (like: string): Promise<number> =>
    (await answer<{ count: number }>('listProduct', { [name]: { eq: first, like } })).count;
  expect([await listed(second), await listed(other)]).toEqual([1, 0]);
});

it.each([
  ['tagIds', 'tagIds', {}],
  ['salesChannelIds', 'salesChannelIds', {}],
  ['attributeId', 'attributeId', {}],
  ['categoryIds', 'categoryIds', {}],
  ['categoryIds', 'trees', { includeSubcategories: true }],
])('a search takes them in the same way: %s (%s)', async (name, list, more) => {
  const [first, second, other] = lists[list]!;
  const found = async (filter: object): Promise<number> =>
    (await answer<{ totalCount: number }>('searchProducts', { input: { [name]: { ...filter, ...more } } })).totalCount;
  expect(await found({ eq: first, in: [other, second] })).toBe(1);
  expect(await found({ eq: first, in: [other] })).toBe(0);
});

it('of the variants one has to meet all members', async () => {
  const variants = ['1', '2'].map((barcode) => ({ barcodeList: [`x${barcode}`], prices: [{ sellPrice: 1 }] }));
  const product = await answer<{ id: string; variants: Saved[] }>('saveProduct', {
    input: { name: 'two variants', type: 'PHYSICAL', variants },
  });
  const [first, , other] = lists['variantStockLocationId']!;
  const productStockLocationInputs = [first, other].map((stockLocationId, n) => ({
    productId: product.id,
    variantId: product.variants[n]!.id,
    stockLocationId,
    stockCount: 1,
  }));
  await answer('saveProductStockLocations', { input: { productStockLocationInputs } });
  const listed = async (filter: object): Promise<number> =>
    (await answer<{ count: number }>('listProduct', filter)).count;
  expect(await listed({ variantStockLocationId: { eq: first, in: [other] } })).toBe(0);
  expect(await listed({ barcodeList: { eq: 'x1', in: ['x2'] } })).toBe(0);
});

import { getNamedType, isInputObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { operations, startOperations } from '../support/operation.ts';
import { plainProduct } from './products.ts';

/** The largest Int of GraphQL. */
const LAST_PAGE = 2_147_483_647;
/** `é` as one code point, and as a letter with a combining accent. */
const COMPOSED = 'Caf\u00e9 au lait';
const DECOMPOSED = 'Cafe\u0301 au lait';

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function call<Type>(operation: string, variables: object, by: Context = ctx): Promise<Type> {
  const { data, errors } = await api.call(by, operation, variables);
  expect(errors).toBeUndefined();
  return data![operation] as Type;
}

type Product = { id: string; name: string; totalStock: number; variants: { id: string }[] };
type Page = { count: number; data: Product[]; hasNext: boolean; endCursor: string | null; page: number };

const save = (input: object, by?: Context): Promise<Product> => call('saveProduct', { input }, by);
const list = (args: object, by?: Context): Promise<Page> => call('listProduct', args, by);
const names = async (args: object, by?: Context): Promise<string[]> =>
  (await list(args, by)).data.map(({ name }) => name).sort();

describe('the pages of a list', () => {
  it.each([2, 1_000_000, 1_000_001, LAST_PAGE])('have no entries past the end, at page %i', async (page) => {
    const own = await createContext(database.db);
    const product = await save(plainProduct('one', 'sku-one'), own);
    await call('saveCustomer', { input: { firstName: 'Ada' } }, own);
    const pagination = { page, limit: 200 };
    for (const [operation, args] of [
      ['listProduct', { pagination }],
      ['listProduct', { pagination, sort: 'name' }],
      ['listProduct', { pagination, sku: { eq: 'sku-one' } }],
      ['listCustomer', { pagination }],
      ['listProductStockLocation', { pagination }],
    ] as const)
      expect(await call(operation, args, own), operation).toMatchObject({
        data: [],
        hasNext: false,
        endCursor: null,
        page,
      });
    expect(await call('listSalesChannel', { pagination }, own)).toEqual([]);
    expect(await call('searchProducts', { input: { pagination } }, own)).toMatchObject({ results: [], totalCount: 1 });
    expect(await call('searchProducts', { input: { query: 'one', pagination } }, own)).toMatchObject({
      results: [],
      totalCount: 1,
      hasNext: false,
    });
    expect((await list({ pagination, id: { eq: product.id } }, own)).count).toBe(1);
  });

  it('end after the last cursor', async () => {
    const own = await createContext(database.db);
    for (const name of ['a', 'b', 'c']) await save(plainProduct(name), own);
    for (const sort of ['name', '-name', 'createdAt', '-updatedAt']) {
      const { endCursor } = await list({ sort, pagination: { limit: 3 } }, own);
      expect(await list({ sort, pagination: { after: endCursor } }, own)).toMatchObject({ data: [], endCursor: null });
      expect(await list({ sort, pagination: { after: endCursor, page: LAST_PAGE } }, own)).toMatchObject({ data: [] });
    }
  });

  it('start with 1: a smaller number is refused', async () => {
    for (const page of [0, -1]) {
      const { errors } = await api.call(ctx, 'listProduct', { pagination: { page } });
      expect(errors).toMatchObject([
        {
          extensions: {
            code: 'ARGUMENT_VALIDATION_ERROR',
            issues: [{ path: ['pagination', 'page'], message: 'must be a whole number from 1' }],
          },
        },
      ]);
    }
  });
});

describe('the filter by name', () => {
  it('normalizes its texts like stored names', async () => {
    const own = await createContext(database.db);
    await save(plainProduct(` ${DECOMPOSED}\n`), own);
    await save(plainProduct('Tea'), own);
    for (const text of [COMPOSED, DECOMPOSED, ` ${COMPOSED} `, `\t${DECOMPOSED}\u00a0`]) {
      expect(await names({ name: { eq: text } }, own)).toEqual([COMPOSED]);
      expect(await names({ name: { in: ['other', text] } }, own)).toEqual([COMPOSED]);
      expect(await names({ name: { ne: text } }, own)).toEqual(['Tea']);
      expect(await names({ name: { nin: [text] } }, own)).toEqual(['Tea']);
      expect(await names({ search: text }, own)).toEqual([COMPOSED]);
    }
    expect(await names({ name: { like: 'cafe\u0301' } }, own)).toEqual([COMPOSED]);
    expect(await names({ name: { eq: 'tea' } }, own)).toEqual([]);
    expect(await names({ search: '  ' }, own)).toEqual([COMPOSED, 'Tea']);
  });

  it.each([
    ['Category', {}],
    ['ProductBrand', {}],
    ['ProductTag', {}],
    ['VariantType', { selectionType: 'choice', values: [{ name: 'S' }] }],
    ['ProductAttribute', { type: 'TEXT' }],
    ['SalesChannel', { type: 'STOREFRONT' }],
    ['PriceList', { currency: 'EUR' }],
    ['StockLocation', {}],
  ])('normalizes those of %s too', async (type, members) => {
    const own = await createContext(database.db);
    await call(`save${type}`, { input: { name: ` ${DECOMPOSED} `, ...members } }, own);
    const found = await call<object[]>(`list${type}`, { name: { eq: `${DECOMPOSED} `, in: [` ${COMPOSED}`] } }, own);
    expect(found).toMatchObject([{ name: COMPOSED }]);
  });

  it.each(['listCategory', 'listProductBrand', 'listProductTag', 'listCustomer'])(
    'and the search of %s ignore spaces around the text',
    async (operation) => {
      const own = await createContext(database.db);
      const input = operation === 'listCustomer' ? { firstName: DECOMPOSED } : { name: DECOMPOSED };
      await call(operation.replace('list', 'save'), { input }, own);
      const found = await call<unknown[] | { data: unknown[] }>(operation, { search: ` ${COMPOSED} ` }, own);
      expect('data' in found ? found.data : found).toHaveLength(1);
    },
  );

  it.each([
    ['50% off', '%', '％', '﹪'],
    ['a_b', '_', '＿'],
    ['c\\d', '\\', '＼', '﹨', '∖'],
  ])('and the search for a part of %s take wildcards literally, of any width', async (name, ...wildcards) => {
    const own = await createContext(database.db);
    await save(plainProduct(name), own);
    await save(plainProduct('plain'), own);
    await call('saveCustomer', { input: { firstName: name } }, own);
    await call('saveCustomer', { input: { firstName: 'plain' } }, own);
    for (const wildcard of wildcards) {
      expect(await names({ name: { like: wildcard } }, own), wildcard).toEqual([name]);
      expect(await names({ search: wildcard }, own), wildcard).toEqual([name]);
      const { data } = await call<Page>('listCustomer', { search: wildcard }, own);
      expect(data, wildcard).toMatchObject([{ firstName: name }]);
    }
  });

  it('does not normalize skus, which are stored as they are sent', async () => {
    const own = await createContext(database.db);
    await save(plainProduct('one', ' sku '), own);
    expect(await names({ sku: { eq: 'sku' } }, own)).toEqual([]);
    expect(await names({ sku: { eq: ' sku ' } }, own)).toEqual(['one']);
  });
});

describe('the filter on the slug', () => {
  it('finds a product by the slug of its page, and no page of another kind or merchant', async () => {
    const own = await createContext(database.db);
    await save(plainProduct('One', 'sku-one'), own);
    await save(plainProduct('Two', 'sku-two'), own);
    await call('saveCategory', { input: { name: 'Three' } }, own);
    await save(plainProduct('Four', 'sku-four'), await createContext(database.db));
    expect(await names({ slug: { eq: 'one' } }, own)).toEqual(['One']);
    expect(await names({ slug: { in: ['one', 'two', 'three', 'four'] } }, own)).toEqual(['One', 'Two']);
    expect(await names({ slug: { like: 'tw' } }, own)).toEqual(['Two']);
    expect(await names({ slug: { ne: 'one' } }, own)).toEqual(['Two']);
    expect(await names({ slug: { isNull: false } }, own)).toEqual(['One', 'Two']);
    expect(await names({ slug: { isNull: true } }, own)).toEqual([]);
  });
});

describe('the filters on variants', () => {
  it('ignore deleted variants', async () => {
    const own = await createContext(database.db);
    const attribute = await call<{ id: string }>(
      'saveProductAttribute',
      { input: { name: newId(), type: 'TEXT' } },
      own,
    );
    const type = await call<{ id: string; values: { id: string }[] }>(
      'saveVariantType',
      { input: { name: newId(), selectionType: 'choice', values: [{ name: 'S' }] } },
      own,
    );
    const location = await call<{ id: string }>('saveStockLocation', { input: { name: 'Here' } }, own);
    const part = await save(plainProduct('Part'), own);
    const prices = [{ sellPrice: 1 }];
    const product = await save(
      {
        name: 'Whole',
        type: 'BUNDLE',
        variants: [
          { sku: 'kept', prices },
          {
            sku: 'gone',
            barcodeList: ['123'],
            prices,
            attributes: [{ productAttributeId: attribute.id, value: 'x' }],
            variantValueIds: [{ variantTypeId: type.id, variantValueId: type.values[0]!.id }],
            bundleSettings: {
              products: [{ id: 'k', productId: part.id, quantity: 1, order: 0, filteredVariantIds: [] }],
            },
          },
        ],
      },
      own,
    );
    const [kept, gone] = product.variants;
    await call(
      'saveProductStockLocations',
      {
        input: {
          productStockLocationInputs: [
            { productId: product.id, variantId: gone!.id, stockLocationId: location.id, stockCount: 3 },
          ],
        },
      },
      own,
    );
    const filters = {
      sku: 'gone',
      barcodeList: '123',
      attributeId: attribute.id,
      variantTypeId: type.id,
      variantStockLocationId: location.id,
      bundleProductsProductId: part.id,
    };
    for (const [filter, eq] of Object.entries(filters))
      expect(await names({ [filter]: { eq } }, own), filter).toEqual(['Whole']);
    const bundle = { id: product.id, name: 'Whole', type: 'BUNDLE' };
    await save({ ...bundle, variants: [{ id: kept!.id, prices }] }, own);
    for (const [filter, eq] of Object.entries(filters)) {
      expect(await names({ [filter]: { eq } }, own), filter).toEqual([]);
      expect(await names({ [filter]: { nin: [eq] } }, own), filter).toEqual(['Part', 'Whole']);
    }
  });
});

it('leaves out the stock at deleted locations', async () => {
  const own = await createContext(database.db);
  const location = async () => (await call<{ id: string }>('saveStockLocation', { input: { name: newId() } }, own)).id;
  const [here, there] = [await location(), await location()];
  const product = await save(plainProduct('Tee'), own);
  const place = { productId: product.id, variantId: product.variants[0]!.id };
  const productStockLocationInputs = [
    { ...place, stockLocationId: here, stockCount: 2.5 },
    { ...place, stockLocationId: there, stockCount: 40 },
  ];
  await call('saveProductStockLocations', { input: { productStockLocationInputs } }, own);
  const totals = async () => [
    (await list({ id: { eq: product.id } }, own)).data[0]!.totalStock,
    (await call<{ results: Product[] }>('searchProducts', { input: {} }, own)).results[0]!.totalStock,
  ];
  expect(await totals()).toEqual([42.5, 42.5]);
  await call('deleteStockLocationList', { idList: [there] }, own);
  expect(await totals()).toEqual([2.5, 2.5]);
  expect(await names({ variantStockLocationId: { eq: there } }, own)).toEqual([]);
  expect(await names({ variantStockLocationId: { in: [here, there] } }, own)).toEqual(['Tee']);
  expect(await names({ variantStockLocationId: { ne: there } }, own)).toEqual(['Tee']);
  await call('saveStockLocation', { input: { id: there, name: 'Back', deleted: false } }, own);
  expect(await totals()).toEqual([42.5, 42.5]);
});

describe('isNull', () => {
  const prices = [{ sellPrice: 1 }];

  it('finds products with or without a value', async () => {
    const own = await createContext(database.db);
    const create = async (type: string, members: object): Promise<{ id: string; values: { id: string }[] }> =>
      await call(`save${type}`, { input: { name: newId(), ...members } }, own);
    const attribute = await create('ProductAttribute', { type: 'TEXT' });
    const size = await create('VariantType', { selectionType: 'choice', values: [{ name: 'S' }] });
    const location = await create('StockLocation', {});
    const part = await save(plainProduct('Part'), own);
    const bundleSettings = {
      products: [{ id: 'k', productId: part.id, quantity: 1, order: 0, filteredVariantIds: [] }],
    };
    const full = await save(
      {
        name: 'Full',
        type: 'BUNDLE',
        brandId: (await create('ProductBrand', {})).id,
        vendorId: 'vendor',
        categoryIds: [(await create('Category', {})).id],
        tagIds: [(await create('ProductTag', {})).id],
        salesChannelIds: [(await create('SalesChannel', { type: 'STOREFRONT' })).id],
        attributes: [{ productAttributeId: attribute.id, value: 'x' }],
        variants: [
          { prices },
          {
            sku: 'sku',
            barcodeList: ['1'],
            prices,
            bundleSettings,
            variantValueIds: [{ variantTypeId: size.id, variantValueId: size.values[0]!.id }],
          },
        ],
      },
      own,
    );
    const entry = { productId: full.id, variantId: full.variants[0]!.id, stockLocationId: location.id, stockCount: 0 };
    await call('saveProductStockLocations', { input: { productStockLocationInputs: [entry] } }, own);
    const filters = [
      'attributeId',
      'barcodeList',
      'brandId',
      'bundleProductsProductId',
      'categoryIds',
      'salesChannelIds',
      'sku',
      'tagIds',
      'variantStockLocationId',
      'variantTypeId',
      'vendorId',
    ];
    for (const filter of filters) {
      expect(await names({ [filter]: { isNull: false } }, own), filter).toEqual(['Full']);
      expect(await names({ [filter]: { isNull: true } }, own), filter).toEqual(['Part']);
      expect((await list({ [filter]: { isNull: true } }, own)).count, filter).toBe(1);
      for (const none of [{ isNull: null }, {}, { eq: null, in: null, isNull: null }, null])
        expect(await names({ [filter]: none }, own), filter).toEqual(['Full', 'Part']);
      expect(await names({ [filter]: { isNull: true, in: [newId()] } }, own), filter).toEqual([]);
      expect(await names({ [filter]: { isNull: false, nin: [newId()] } }, own), filter).toEqual(['Full']);
    }
    // Deletes the variant with the values: deleted variants are not searched.
    await save({ id: full.id, name: 'Full', type: 'BUNDLE', variants: [{ id: full.variants[0]!.id, prices }] }, own);
    for (const filter of ['barcodeList', 'bundleProductsProductId', 'sku', 'variantTypeId'])
      expect(await names({ [filter]: { isNull: true } }, own), filter).toEqual(['Full', 'Part']);
    await call('deleteStockLocationList', { idList: [location.id] }, own);
    expect(await names({ variantStockLocationId: { isNull: false } }, own)).toEqual([]);
  });

  it('includes the attributes of variants', async () => {
    const own = await createContext(database.db);
    const attribute = await call<Product>('saveProductAttribute', { input: { name: 'Fit', type: 'TEXT' } }, own);
    const attributes = [{ productAttributeId: attribute.id, value: 'wide' }];
    await save({ name: 'Variant', type: 'PHYSICAL', variants: [{ prices, attributes }, { prices }] }, own);
    await save(plainProduct('Plain'), own);
    expect(await names({ attributeId: { isNull: false } }, own)).toEqual(['Variant']);
    expect(await names({ attributeId: { isNull: true } }, own)).toEqual(['Plain']);
  });

  it('finds bundles without products', async () => {
    const own = await createContext(database.db);
    await save({ name: 'Empty', type: 'BUNDLE', variants: [{ prices, bundleSettings: { products: [] } }] }, own);
    expect(await names({ bundleProductsProductId: { isNull: true } }, own)).toEqual(['Empty']);
    expect(await names({ bundleProductsProductId: { isNull: false } }, own)).toEqual([]);
  });

  it.each(['a product', 'a variant'])('finds %s whose attribute values name no attribute', async (holder) => {
    const own = await createContext(database.db);
    const values = { attributes: [{ value: 'x' }] };
    const members =
      holder === 'a product' ? { ...values, variants: [{ prices }] } : { variants: [{ prices, ...values }] };
    await save({ name: 'Loose', type: 'PHYSICAL', ...members }, own);
    expect(await names({ attributeId: { isNull: true } }, own)).toEqual(['Loose']);
    expect(await names({ attributeId: { isNull: false } }, own)).toEqual([]);
    const { results } = await call<{ results: Product[] }>(
      'searchProducts',
      { input: { attributeId: { isNull: true } } },
      own,
    );
    expect(results.map(({ name }) => name)).toEqual(['Loose']);
  });

  it('finds none or all records by a member that every record has', async () => {
    const own = await createContext(database.db);
    await save(plainProduct('One'), own);
    for (const filter of ['id', 'name', 'type', 'createdAt', 'updatedAt']) {
      expect(await names({ [filter]: { isNull: true } }, own), filter).toEqual([]);
      expect(await names({ [filter]: { isNull: false } }, own), filter).toEqual(['One']);
    }
  });

  it('finds customers without an e-mail address or phone number', async () => {
    const own = await createContext(database.db);
    await call('saveCustomer', { input: { firstName: 'Ada', email: 'ada@example.com' } }, own);
    await call('saveCustomer', { input: { firstName: 'Grace', phone: '+1 5' } }, own);
    const found = async (args: object) =>
      (await call<{ data: { firstName: string }[] }>('listCustomer', args, own)).data.map(({ firstName }) => firstName);
    expect(await found({ email: { isNull: true } })).toEqual(['Grace']);
    expect(await found({ email: { isNull: false } })).toEqual(['Ada']);
    expect(await found({ phone: { isNull: true } })).toEqual(['Ada']);
    expect(await found({ phone: { isNull: false } })).toEqual(['Grace']);
  });

  it('finds the roots of the category tree', async () => {
    const own = await createContext(database.db);
    const root = await call<Product>('saveCategory', { input: { name: 'Root' } }, own);
    await call('saveCategory', { input: { name: 'Child', parentId: root.id } }, own);
    const found = async (args: object) =>
      (await call<Product[]>('listCategory', args, own)).map(({ name }) => name).sort();
    expect(await found({ categoryPath: { isNull: true } })).toEqual(['Root']);
    expect(await found({ categoryPath: { isNull: false } })).toEqual(['Child']);
    expect(await found({ categoryPath: { isNull: null } })).toEqual(['Child', 'Root']);
    expect(await found({ categoryPath: {} })).toEqual(['Child', 'Root']);
  });

  it('is a member of every filter', () => {
    const inputs = Object.values(operations.get('listProduct')!.field.args)
      .concat(operations.get('listCategory')!.field.args)
      .map(({ type }) => getNamedType(type))
      .filter((type) => isInputObjectType(type))
      .filter(({ name }) => name.endsWith('FilterInput'));
    expect([...new Set(inputs.map(({ name }) => name))].sort()).toEqual([
      'CategoryFilterInput',
      'CategoryPathFilterInput',
      'DateFilterInput',
      'PriceFilterInput',
      'ProductAttributeFilterInput',
      'ProductTypeFilterInput',
      'StockFilterInput',
      'StringFilterInput',
    ]);
    expect(inputs.filter((type) => type.getFields().isNull?.type.toString() !== 'Boolean')).toEqual([]);
  });
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { listChange } from '../../src/change/listChange.ts';
import { newId } from '../../src/db/sql/id.ts';
import { bulkUpdateProducts } from '../../src/product/bulkUpdateProducts.ts';
import { getBulkOperation } from '../../src/product/getBulkOperation.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { saveStockLocation } from '../../src/stock/saveStockLocation.ts';
import { listVariantType } from '../../src/variant-type/listVariantType.ts';
import { createContext } from '../support/context.ts';
import { skipOnCluster } from '../support/cluster.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { allOfBulkOperation, allOfProduct } from './products.ts';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

const bulk = (input: object[], context = ctx) => bulkUpdateProducts(context, { input: input as never });
const plain = (sourceId: string | null, more: object = {}) => ({
  sourceId,
  name: `Product ${sourceId}`,
  type: 'PHYSICAL',
  isActive: true,
  categories: [],
  productVariantTypes: [],
  deleted: false,
  variants: [{ sourceId: 'v', sku: `sku-${sourceId}`, isActive: true, deleted: false, prices: [{ sellPrice: 5 }] }],
  ...more,
});
const list = async (args: object = {}, context = ctx) =>
  (await listProduct(context, { sort: 'name', ...args }, { data: { ...allOfProduct, sourceId: {} } })).data;

describe('bulkUpdateProducts', () => {
  it('creates all missing records by name', async () => {
    const own = await createContext(database.db);
    const { id: stockLocationId } = await saveStockLocation(own, { input: { name: 'Store' } }, { id: {} });
    const id = await bulk(
      [
        plain('shirt', {
          brand: { name: 'Acme', description: 'makers' },
          tags: [{ name: 'new' }, { name: 'cotton' }],
          vendor: 'v1',
          weight: 0.2,
          categories: [{ name: ['Clothes', 'Shirts'] }, { name: ['Clothes'] }],
          productVariantTypes: [{ order: 1, variantTypeName: 'Size', variantValues: [{ name: 'S' }, { name: 'M' }] }],
          metaData: { pageTitle: 'Shirt' },
          variants: [
            {
              sku: 'S',
              isActive: true,
              deleted: false,
              prices: [{ sellPrice: 9.5 }],
              variantValues: [{ variantTypeName: 'Size', variantValueName: 'S' }],
              stocks: [{ stockLocationId, stockCount: 3.5 }],
            },
            {
              sku: 'M',
              isActive: false,
              deleted: false,
              prices: [{ sellPrice: 10 }],
              variantValues: [{ variantTypeName: 'Size', variantValueName: 'M' }],
            },
          ],
        }),
        plain('trousers', { brand: { name: 'Acme' }, categories: [{ name: ['Clothes', 'Trousers'] }] }),
      ],
      own,
    );
    expect(await getBulkOperation(own, { id }, allOfBulkOperation)).toMatchObject({
      id,
      status: 'COMPLETED',
      total: 2,
      created: 2,
      updated: 0,
      deleted: 0,
      imagesPending: 0,
      imagesFailed: 0,
      errors: [],
    });
    const [shirt, trousers] = await list({}, own);
    expect(shirt).toMatchObject({
      brand: { name: 'Acme' },
      tags: [{ name: 'new' }, { name: 'cotton' }],
      vendorId: 'v1',
      totalStock: 3.5,
      metaData: { slug: 'product-shirt', pageTitle: 'Shirt' },
      categories: [{ name: 'Shirts' }, { name: 'Clothes', parentId: null }],
      productVariantTypes: [{ name: 'Size', order: 1, values: [{ name: 'S' }, { name: 'M' }] }],
      variants: [
        { sku: 'S', isActive: true, stocks: [{ stockCount: 3.5 }] },
        { sku: 'M', isActive: false },
      ],
    });
    expect(shirt!.categories![0]!.parentId).toBe(shirt!.categories![1]!.id);
    expect(trousers).toMatchObject({
      brandId: shirt!.brandId,
      categories: [{ name: 'Trousers', parentId: shirt!.categories![1]!.id }],
    });
  });

  it('stores the sourceId of a variant without other changes', async () => {
    const own = await createContext(database.db);
    await bulk(
      [plain('named', { variants: [{ sku: 'one', isActive: true, deleted: false, prices: [{ sellPrice: 5 }] }] })],
      own,
    );
    const variants = async () => (await list({}, own))[0]!.variants.map(({ id, sku }) => ({ id, sku }));
    const [stored] = await variants();
    await bulk(
      [
        plain('named', {
          variants: [{ ...stored, sourceId: 'v1', isActive: true, deleted: false, prices: [{ sellPrice: 5 }] }],
        }),
      ],
      own,
    );
    await bulk(
      [
        plain('named', {
          variants: [{ sourceId: 'v1', sku: 'two', isActive: true, deleted: false, prices: [{ sellPrice: 5 }] }],
        }),
      ],
      own,
    );
    expect(await variants()).toEqual([{ id: stored!.id, sku: 'two' }]);
  });

  it('changes nothing when repeated, and matches by id, sourceId and, for variants, sku', async () => {
    const own = await createContext(database.db);
    const input = [
      plain('a', { brand: { name: 'B' }, tags: [{ name: 't' }], categories: [{ name: ['c'] }] }),
      plain('b'),
    ];
    await bulk(input, own);
    const before = settled(await list({}, own));
    const id = await bulk(input, own);
    expect(await getBulkOperation(own, { id }, allOfBulkOperation)).toMatchObject({ created: 0, updated: 2 });
    expect(settled(await list({}, own))).toEqual(before);
    const [a] = await list({}, own);
    await bulk(
      [
        plain(null, {
          id: a!.id,
          name: 'Renamed',
          variants: [{ sku: 'sku-a', isActive: true, deleted: false, prices: [{ sellPrice: 6 }] }],
        }),
      ],
      own,
    );
    const [, renamed] = await list({}, own);
    expect(renamed).toMatchObject({
      id: a!.id,
      name: 'Renamed',
      brandId: a!.brandId,
      tagIds: a!.tagIds,
      variants: [{ id: a!.variants[0]!.id, prices: [{ sellPrice: 6 }] }],
    });
  });

  it('changes updatedAt of a variant type that gets a new value, but not if it has all values', async () => {
    const own = await createContext(database.db);
    const sizes = async (...names: string[]) => {
      const variantValues = names.map((name) => ({ name }));
      await bulk([plain('a', { productVariantTypes: [{ order: 1, variantTypeName: 'Size', variantValues }] })], own);
      const selection = { updatedAt: {}, values: { name: {} } };
      return (await listVariantType(own, {}, selection))[0]!;
    };
    const first = await sizes('S');
    expect(await sizes('S')).toEqual(first);
    const more = await sizes('M', 'S');
    expect(more.values.map(({ name }) => name)).toEqual(['S', 'M']);
    expect(more.updatedAt).toBeGreaterThan(first.updatedAt!);
  });

  it('deletes products marked as deleted, and skips unknown ones', async () => {
    const own = await createContext(database.db);
    await bulk([plain('gone'), plain('stays')], own);
    const id = await bulk([plain('gone', { deleted: true }), plain('never', { deleted: true })], own);
    expect(await getBulkOperation(own, { id }, allOfBulkOperation)).toMatchObject({
      total: 2,
      created: 0,
      updated: 0,
      deleted: 1,
    });
    expect((await list({}, own)).map(({ name }) => name)).toEqual(['Product stays']);
  });

  // docs/reliability-tests.md: 11
  it('rejects the whole request for one invalid entry and names it', async () => {
    const wrong = async (...input: object[]) =>
      await bulk(input).then(
        () => null,
        (error: object) => error,
      );
    const issue = (...path: unknown[]) => ({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['input', ...path] }] },
    });
    expect(await wrong(plain('w1'), plain('w2', { name: ' ' }))).toMatchObject(issue(1, 'name'));
    expect(await wrong(plain('w1'), plain('w2', { variants: [{ isActive: true, prices: [] }] }))).toMatchObject(
      issue(1, 'variants', 0, 'prices'),
    );
    expect(await wrong(plain('w1'), plain('w1'))).toMatchObject(issue(1, 'sourceId'));
    expect(await wrong(plain('w1'), plain('w2', { id: newId() }))).toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'Product', path: ['input', 1, 'id'] },
    });
    expect(await wrong(plain('w1'), plain('w2', { salesChannelIds: [newId()] }))).toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'SalesChannel', path: ['input', 1, 'salesChannelIds', 0] },
    });
    expect(
      await wrong(
        plain('w1', { brand: { name: 'never made' } }),
        plain('w2', { variants: [{ isActive: true, prices: [{ sellPrice: 1, priceListId: 'x' }, { sellPrice: 1 }] }] }),
      ),
    ).toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'PriceList', path: ['input', 1, 'variants', 0, 'prices', 0, 'priceListId'] },
    });
    expect(await wrong(...Array.from({ length: 1_001 }, (_, index) => plain(`${index}`)))).toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
    });
    await bulk([plain('taken'), plain('given')]);
    const [given] = await list({ name: { like: 'Product given' } });
    expect(await wrong(plain('w1'), plain('taken', { id: given!.id }))).toMatchObject({
      code: 'CONFLICT',
      extensions: { path: ['input', 1, 'sourceId'] },
    });
    const byId = { ...plain(null), id: given!.id };
    expect(await wrong(byId, plain('given'))).toMatchObject(issue(1, 'sourceId'));
    expect(await wrong(plain('given'), byId)).toMatchObject(issue(1, 'id'));
    expect(await list({ name: { like: 'Product w' } })).toEqual([]);
    const [made] = await database.db.execute(
      sql`select from product_brand where merchant_id = ${ctx.merchantId} and name = 'never made'`,
    );
    expect(made).toBeUndefined();
  });

  it.each([
    ['from the next entry', [0, 1]],
    ['from the entry before', [1, 0]],
  ])('gives a product the sourceId that another one gives away: %s', async (_, order) => {
    const own = await createContext(database.db);
    await bulk([plain('a'), plain('b')], own);
    const [a, b] = await list({}, own);
    const entries = [plain('b', { id: a!.id, name: a!.name }), plain('c', { id: b!.id, name: b!.name })];
    await bulk(
      order.map((place) => entries[place]!),
      own,
    );
    expect((await list({}, own)).map(({ id, sourceId }) => [id, sourceId])).toEqual([
      [a!.id, 'b'],
      [b!.id, 'c'],
    ]);
  });

  it('swaps sourceIds, each as one change', async () => {
    const own = await createContext(database.db);
    await bulk([plain('a'), plain('b')], own);
    const [a, b] = await list({}, own);
    await bulk([plain('b', { id: a!.id, name: a!.name }), plain('a', { id: b!.id, name: b!.name })], own);
    const products = await list({}, own);
    expect(products).toMatchObject([
      { id: a!.id, sourceId: 'b', version: a!.version + 1 },
      { id: b!.id, sourceId: 'a', version: b!.version + 1 },
    ]);
    const { data } = await listChange(
      own,
      { pagination: { limit: 2 } },
      { data: { members: { path: {}, before: {}, after: {} } } },
    );
    const members = data.flatMap((change) => change.members);
    expect(members).toContainEqual({ path: 'sourceId', before: '"a"', after: '"b"' });
    expect(members).toContainEqual({ path: 'sourceId', before: '"b"', after: '"a"' });
  });

  it('gives no product the sourceId of one that the same request deletes', async () => {
    const own = await createContext(database.db);
    await bulk([plain('a'), plain('b')], own);
    const [a, b] = await list({}, own);
    const sent = bulk([plain('b', { id: a!.id }), plain(null, { id: b!.id, deleted: true })], own);
    await expect(sent).rejects.toMatchObject({
      code: 'CONFLICT',
      extensions: { path: ['input', 0, 'sourceId'] },
    });
  });

  it('updates a product by its id, though another entry has an empty sourceId', async () => {
    const own = await createContext(database.db);
    await bulk([plain(''), plain('a')], own);
    const [, a] = await list({}, own);
    const { sourceId: _sourceId, ...byId } = plain('a', { id: a!.id, name: 'Renamed' });
    await bulk([plain(''), byId], own);
    expect((await list({}, own)).map(({ name, sourceId }) => [name, sourceId])).toEqual([
      ['Product', ''],
      ['Renamed', 'a'],
    ]);
  });

  it('deletes a product by its id, though the entry has the sourceId of another one', async () => {
    const own = await createContext(database.db);
    await bulk([plain('a'), plain('b')], own);
    const [a] = await list({}, own);
    await bulk([plain('b', { id: a!.id, deleted: true })], own);
    expect((await list({ includeDeleted: true }, own)).map(({ deleted, sourceId }) => [deleted, sourceId])).toEqual([
      [true, 'a'],
      [false, 'b'],
    ]);
  });

  it.each([
    ['repeats that of another entry', 'new'],
    ['is too long', 'x'.repeat(300)],
  ])('deletes a product by its id, though its sourceId %s', async (_, sourceId) => {
    const own = await createContext(database.db);
    await bulk([plain('old')], own);
    const [old] = await list({}, own);
    await bulk([plain(sourceId, { id: old!.id, deleted: true }), plain('new')], own);
    expect((await list({ includeDeleted: true }, own)).map(({ deleted, sourceId }) => [deleted, sourceId])).toEqual([
      [false, 'new'],
      [true, 'old'],
    ]);
  });

  // docs/reliability-tests.md: 57
  it('creates one brand, tag, category and type for a name in many concurrent requests', async () => {
    const own = await createContext(database.db);
    const requests = Array.from({ length: 8 }, (_, index) =>
      bulk(
        [
          plain(`p${index}`, {
            brand: { name: 'One' },
            tags: [{ name: 'One' }],
            categories: [{ name: ['Root', 'Leaf'] }],
            productVariantTypes: [{ order: 0, variantTypeName: 'Type', variantValues: [{ name: 'Value' }] }],
          }),
        ],
        own,
      ),
    );
    await Promise.all(requests);
    const count = async (table: string) =>
      (
        await database.db.execute<{ n: number }>(
          sql`select count(*)::int as n from ${sql.identifier(table)} where merchant_id = ${own.merchantId}`,
        )
      )[0]!.n;
    expect(
      await Promise.all(
        ['product_brand', 'product_tag', 'category', 'variant_type', 'variant_value', 'product'].map(count),
      ),
    ).toEqual([1, 1, 2, 1, 1, 8]);
  });

  it('needs as many statements for 99 products as for two', async () => {
    const cost = async (size: number) => {
      const before = database.statements.length;
      await bulk(
        Array.from({ length: size }, (_, index) =>
          plain(`cost-${size}-${index}`, {
            brand: { name: `brand ${size} ${index}` },
            tags: [{ name: `tag ${size} ${index}` }],
          }),
        ),
      );
      return database.statements.length - before;
    };
    expect(await cost(99)).toBe(await cost(2));
  });

  it('analyzes the tables after they have grown', async (test) => {
    skipOnCluster(test, 'autovacuum of each node analyzes its shards');
    const own = await createContext(database.db);
    await bulk(
      Array.from({ length: 300 }, (_, index) => plain(`grown-${index}`)),
      own,
    );
    const [known] = await database.db.execute<{ products: number }>(
      sql`select reltuples::float8 as products from pg_class where relname = 'product'`,
    );
    expect(known!.products).toBeGreaterThanOrEqual(300);
  });

  it('queues the images that the merchant does not have yet', async () => {
    const own = await createContext(database.db);
    const images = [
      { imageUrl: 'https://example.com/1.png', isMain: true, order: 0 },
      { imageUrl: 'https://example.com/2.png', isMain: false, order: 1 },
    ];
    const id = await bulk(
      [
        plain('pictured', {
          variants: [{ sku: 'x', isActive: true, deleted: false, prices: [{ sellPrice: 1 }], images }],
        }),
      ],
      own,
    );
    expect(await getBulkOperation(own, { id }, allOfBulkOperation)).toMatchObject({
      status: 'RUNNING',
      imagesPending: 2,
    });
    expect(await getBulkOperation(ctx, { id }, allOfBulkOperation)).toBeNull();
    expect(await getBulkOperation(ctx, { id: 'nonsense' }, allOfBulkOperation)).toBeNull();
  });
});

function settled(products: object[]): unknown {
  return JSON.parse(
    JSON.stringify(products, (key, value: unknown) => (key === 'updatedAt' || key === 'version' ? undefined : value)),
  );
}

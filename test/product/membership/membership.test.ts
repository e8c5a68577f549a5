import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteCategoryList } from '../../../src/category/deleteCategoryList.ts';
import { saveCategory } from '../../../src/category/saveCategory.ts';
import type { Context } from '../../../src/context.ts';
import type { QueryListProductArgs } from '../../../src/graphql/generated/types.ts';
import { bulkUpdateProducts } from '../../../src/product/bulkUpdateProducts.ts';
import { deleteProductList } from '../../../src/product/deleteProductList.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { updateMemberships } from '../../../src/product/membership/update-memberships.ts';
import { saveProduct } from '../../../src/product/saveProduct.ts';
import { saveVariantPrices } from '../../../src/product/saveVariantPrices.ts';
import { updateAllSearchDocuments } from '../../../src/product/search/search-documents.ts';
import { searchProducts } from '../../../src/product/searchProducts.ts';
import { saveWebhook } from '../../../src/webhook/saveWebhook.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { sentBack } from '../../support/sent-back.ts';
import { allOfProduct, plainProduct } from '../products.ts';

const FOREVER = new AbortController().signal;
const named = (text: string) => [{ conditionType: 'PRODUCT_NAME', valueList: [text] }];

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

const settle = async () => await updateMemberships(database, FOREVER);

async function category(name: string, members: object = {}): Promise<string> {
  return (await saveCategory(ctx, { input: { name, ...members } as never }, { id: {} })).id;
}

async function automated(name: string, text: string, members: object = {}): Promise<string> {
  return await category(name, { isAutomated: true, conditions: named(text), ...members });
}

async function product(name: string, members: object = {}) {
  const input = { ...plainProduct(name), ...members } as never;
  return await saveProduct(ctx, { input }, { id: {}, categoryIds: {}, variants: { id: {} } });
}

async function listed(
  categoryIds: QueryListProductArgs['categoryIds'],
  others: QueryListProductArgs = {},
): Promise<string> {
  const { count, data } = await listProduct(
    ctx,
    { categoryIds, sort: 'name', ...others },
    { count: {}, data: { name: {} } },
  );
  expect(count).toBe(data.length);
  return data.map(({ name }) => name).join();
}

/** The ids and names of the product's categories, as clients read them. */
async function shown(id: string) {
  const { data } = await listProduct(
    ctx,
    { id: { eq: id }, includeDeleted: true },
    { data: { categoryIds: {}, categories: { id: {}, name: {} } } },
  );
  const { categoryIds, categories } = data[0]!;
  expect(categories?.map((one) => one.id)).toEqual(categoryIds);
  return { ids: categoryIds, names: categories?.map(({ name }) => name).join() };
}

const execute = async (statement: SQL) => await database.db.execute(statement);

describe('an automated category', () => {
  it('is shown everywhere together with the categories into which the product was saved', async () => {
    const [hand, shirts, mugs] = [
      await category('hand'),
      await automated('shirts', 'shirt'),
      await automated('mugs', 'mug'),
    ];
    const blue = await product('Blue shirt', { categoryIds: [hand] });
    await product('Mug', {});
    await product('Shirt mug');
    await product('Book', { categoryIds: [hand] });
    await product('Card');
    await settle();
    await updateAllSearchDocuments(database, FOREVER);
    expect(await shown(blue.id)).toEqual({ ids: [hand, shirts], names: 'hand,shirts' });
    expect(await listed({ eq: shirts })).toBe('Blue shirt,Shirt mug');
    expect(await listed({ eq: shirts }, { sort: '-createdAt' })).toBe('Shirt mug,Blue shirt');
    expect(await listed({ in: [shirts, mugs] })).toBe('Blue shirt,Mug,Shirt mug');
    expect(await listed({ in: [hand, mugs] })).toBe('Blue shirt,Book,Mug,Shirt mug');
    expect(await listed({ in: [hand, mugs] }, { includeDeleted: true })).toBe('Blue shirt,Book,Mug,Shirt mug');
    expect(await listed({ in: [shirts, mugs], nin: [hand] })).toBe('Mug,Shirt mug');
    expect(await listed({ nin: [shirts] })).toBe('Book,Card,Mug');
    expect(await listed({ isNull: true })).toBe('Card');
    expect(await listed({ isNull: false })).toBe('Blue shirt,Book,Mug,Shirt mug');
    const facets = await searchProducts(
      ctx,
      { input: { query: 'shirts' } },
      { results: { name: {} }, facets: { field: {}, values: { name: {}, count: {} } } },
    );
    expect(facets.results.map(({ name }) => name).toSorted()).toEqual(['Blue shirt', 'Shirt mug']);
    expect(
      facets.facets.find(({ field }) => field === 'CATEGORY')!.values.map(({ name, count }) => [name, count]),
    ).toEqual([
      ['shirts', 2],
      ['hand', 1],
      ['mugs', 1],
    ]);
  });

  it('follows changes by plain SQL of products, variants and conditions', async () => {
    const id = await automated('cheap', 'x', { conditions: [{ conditionType: 'PRICE_RANGE', valueList: ['', '5'] }] });
    const { id: mug, variants } = await product('Mug');
    const { id: cup } = await product('Cup');
    const inProduct = sql`merchant_id = ${ctx.merchantId} and product_id = ${mug}`;
    const steps: [SQL, string][] = [
      [sql`update variant set prices = '[{"sellPrice":3}]' where ${inProduct}`, 'Mug'],
      [sql`update variant set deleted = true where ${inProduct}`, ''],
      [
        sql`update variant set deleted = false, product_id = ${cup} where merchant_id = ${ctx.merchantId} and id = ${variants[0]!.id}`,
        'Cup',
      ],
      [sql`delete from variant where merchant_id = ${ctx.merchantId} and id = ${variants[0]!.id}`, ''],
      [
        sql`insert into variant (merchant_id, product_id, position, prices) values (${ctx.merchantId}, ${mug}, 1, '[{"sellPrice":"x"},{"sellPrice":1}]')`,
        'Mug',
      ],
      [sql`update product set deleted = true where merchant_id = ${ctx.merchantId} and id = ${mug}`, ''],
      [
        sql`update product set deleted = false, created_at = '2020-01-01' where merchant_id = ${ctx.merchantId} and id = ${mug}`,
        'Mug',
      ],
      [
        sql`update category set conditions = ${JSON.stringify(named('cup'))}::json where merchant_id = ${ctx.merchantId} and id = ${id}`,
        'Cup',
      ],
      [sql`update product set name = 'Bowl' where merchant_id = ${ctx.merchantId} and id = ${cup}`, ''],
      [sql`update product set name = 'Cupboard' where merchant_id = ${ctx.merchantId}`, 'Cupboard,Cupboard'],
      [sql`update category set is_automated = false where merchant_id = ${ctx.merchantId} and id = ${id}`, ''],
      [
        sql`update category set is_automated = true where merchant_id = ${ctx.merchantId} and id = ${id}`,
        'Cupboard,Cupboard',
      ],
      [sql`delete from product where merchant_id = ${ctx.merchantId} and id = ${cup}`, 'Cupboard'],
      [sql`delete from category where merchant_id = ${ctx.merchantId} and id = ${id}`, ''],
    ];
    for (const [statement, expected] of steps) {
      await execute(statement);
      await settle();
      expect(await listed({ eq: id }), database.statements.at(-1)).toBe(expected);
    }
    expect(await execute(sql`select from category_product where merchant_id = ${ctx.merchantId}`)).toHaveLength(0);
  });

  it('follows saves, and loses its products while it is deleted', async () => {
    const id = await automated('mugs', 'mug', { shouldMatchAllConditions: true });
    const mug = await product('Mug');
    await settle();
    expect(await listed({ eq: id })).toBe('Mug');
    await deleteProductList(ctx, { idList: [mug.id] });
    expect(await listed({ eq: id })).toBe('');
    const restored = await product('Mug', { id: mug.id, deleted: false });
    await settle();
    expect(await listed({ eq: id })).toBe('Mug');
    await deleteCategoryList(ctx, { idList: [id] });
    await settle();
    expect(await listed({ eq: id })).toBe('');
    expect((await shown(mug.id)).ids).toEqual([]);
    const onSale = [...named('mug'), { conditionType: 'DISCOUNTED_PRODUCTS', valueList: [] }];
    await saveCategory(ctx, { input: { id, name: 'mugs', deleted: false, conditions: onSale } as never }, {});
    await settle();
    expect(await listed({ eq: id })).toBe('');
    const price = { sellPrice: 2, discountPrice: 1 };
    const variantPriceInputs = [{ productId: mug.id, variantId: restored.variants[0]!.id, price }];
    await saveVariantPrices(ctx, { input: { variantPriceInputs } });
    await settle();
    expect(await listed({ eq: id })).toBe('Mug');
  });

  it('loses its products in one transaction with another one that loses its conditions', async () => {
    const [shirts, mugs, all] = [
      await automated('shirts', 'shirt'),
      await automated('mugs', 'mug'),
      await automated('all', 'm'),
    ];
    await product('Shirt mug');
    await settle();
    expect(await listed({ in: [shirts, mugs] })).toBe('Shirt mug');
    await execute(sql`
      update category set conditions = null
      where merchant_id = ${ctx.merchantId} and id = any(${`{${shirts},${mugs}}`}::uuid[])`);
    await settle();
    expect(await listed({ in: [shirts, mugs] })).toBe('');
    await product('Mug');
    await settle();
    expect(await listed({ eq: all })).toBe('Mug,Shirt mug');
  });

  it('hides the products that were saved into it before, until it is no longer automated', async () => {
    const [id, hand] = [await category('mixed'), await category('hand')];
    const [cup, mug] = [
      await product('Cup', { categoryIds: [id, hand] }),
      await product('Mug', { categoryIds: [hand] }),
    ];
    await saveCategory(ctx, { input: { id, name: 'mixed', isAutomated: true, conditions: named('mug') } as never }, {});
    await settle();
    await updateAllSearchDocuments(database, FOREVER);
    expect(await listed({ eq: id })).toBe('Mug');
    expect(await listed({ eq: id }, { sort: '-createdAt' })).toBe('Mug');
    expect(await listed({ in: [id] }, { includeDeleted: true })).toBe('Mug');
    expect((await shown(cup.id)).names).toBe('hand');
    expect((await shown(mug.id)).names).toBe('hand,mixed');
    const found = async () =>
      (await searchProducts(ctx, { input: { query: 'mixed' } }, { results: { name: {} } })).results.map(
        ({ name }) => name,
      );
    expect(await found()).toEqual(['Mug']);
    await saveProduct(ctx, { input: { ...plainProduct('Cup'), id: cup.id, categoryIds: [hand, id] } as never }, {});
    await saveCategory(ctx, { input: { id, name: 'mixed', isAutomated: false } as never }, {});
    await settle();
    await updateAllSearchDocuments(database, FOREVER);
    expect(await listed({ eq: id })).toBe('Cup');
    expect((await shown(cup.id)).names).toBe('mixed,hand');
    expect(await found()).toEqual(['Cup']);
  });

  it('that is not automated any more shows the products that were saved into it at once, and no others', async () => {
    const [id, hand] = [await category('mixed'), await category('hand')];
    await automated('other', 'mug');
    const [saved, met] = [await product('Mug', { categoryIds: [id, hand] }), await product('Mug 2')];
    const mixed = { id, name: 'mixed', isAutomated: true, conditions: named('mug') };
    await saveCategory(ctx, { input: mixed as never }, {});
    await settle();
    expect((await shown(saved.id)).names).toBe('hand,mixed,other');
    expect((await shown(met.id)).names).toBe('mixed,other');
    await saveCategory(ctx, { input: { ...mixed, isAutomated: false } as never }, {});
    for (const state of ['before the worker has compared its products', 'after that']) {
      expect((await shown(saved.id)).names, state).toBe('mixed,hand,other');
      expect((await shown(met.id)).names, state).toBe('other');
      expect(await listed({ eq: id }), state).toBe('Mug');
      await settle();
    }
  });

  it('changes neither updatedAt nor version, sends no event, and queues no further comparison', async () => {
    await saveWebhook(
      ctx,
      { input: { endpoint: 'https://example.com/', scopes: ['store/product/updated'] } } as never,
      {},
    );
    const mug = await product('Mug');
    const read = async () =>
      await execute(sql`select updated_at, version from product where merchant_id = ${ctx.merchantId}`);
    const deliveries = async () =>
      await execute(sql`select from webhook_delivery where merchant_id = ${ctx.merchantId}`);
    const [before, sent] = [await read(), await deliveries()];
    await automated('mugs', 'mug');
    await settle();
    expect((await shown(mug.id)).names).toBe('mugs');
    expect(await read()).toEqual(before);
    expect(await deliveries()).toHaveLength(sent.length);
    for (const table of ['membership_pending_product', 'membership_pending_category'])
      expect(
        await execute(sql`select from ${sql.identifier(table)} where merchant_id = ${ctx.merchantId}`),
      ).toHaveLength(0);
  });

  it('is ignored in inputs, so that a product sent back as it was read does not change', async () => {
    const [hand, mugs, gone] = [
      await category('hand'),
      await automated('mugs', 'mug'),
      await automated('gone', 'gone'),
    ];
    const mug = await product('Mug', { categoryIds: [mugs, hand, gone] });
    expect(mug.categoryIds).toEqual([hand]);
    await settle();
    const read = async () => (await listProduct(ctx, { id: { eq: mug.id } }, { data: allOfProduct })).data[0]!;
    const before = await read();
    expect(before.categoryIds).toEqual([hand, mugs]);
    await saveProduct(ctx, { input: sentBack('saveProduct', before) as never }, {});
    await settle();
    expect(await read()).toEqual(before);
    await deleteCategoryList(ctx, { idList: [gone] });
    await saveProduct(ctx, { input: { ...plainProduct('Mug'), id: mug.id, categoryIds: [gone, mugs] } as never }, {});
    expect((await read()).categoryIds).toEqual([mugs]);
    await expect(product('Cup', { categoryIds: [mugs, mug.id] })).rejects.toMatchObject({
      extensions: { path: ['input', 'categoryIds', 1] },
    });
    const bulk = {
      ...plainProduct('Mug'),
      id: mug.id,
      productVariantTypes: [],
      categories: [{ name: ['mugs'] }, { name: ['hand'] }],
    };
    await bulkUpdateProducts(ctx, { input: [bulk] as never });
    const [stored] = await execute(
      sql`select category_ids::text as ids from product where merchant_id = ${ctx.merchantId} and id = ${mug.id}`,
    );
    expect(stored).toEqual({ ids: `{${hand}}` });
  });

  it('ignores automated categories in its condition, so that there are no cycles', async () => {
    const hand = await category('hand');
    const first = await automated('first', 'mug');
    const second = await category('second', {
      isAutomated: true,
      conditions: [{ conditionType: 'CATEGORY', valueList: [first, hand] }],
    });
    await saveCategory(
      ctx,
      {
        input: {
          id: first,
          name: 'first',
          conditions: [{ conditionType: 'CATEGORY', valueList: [second] }, ...named('mug')],
        } as never,
      },
      {},
    );
    await product('Mug');
    await product('Cup', { categoryIds: [hand] });
    await settle();
    expect([await listed({ eq: first }), await listed({ eq: second })]).toEqual(['Mug', 'Cup']);
  });

  it("has no other merchant's products, and is not affected by the conditions of others", async () => {
    const mugs = await automated('mugs', 'mug');
    await product('Mug');
    const other = await createContext(database.db);
    const own = ctx;
    ctx = other;
    const { id: foreign } = await product('Foreign mug');
    await settle();
    expect(await listed({ eq: mugs })).toBe('');
    expect((await shown(foreign)).ids).toEqual([]);
    expect(
      await execute(sql`select from membership_pending_product where merchant_id = ${other.merchantId}`),
    ).toHaveLength(0);
    ctx = own;
    expect(await listed({ eq: mugs })).toBe('Mug');
  });
});

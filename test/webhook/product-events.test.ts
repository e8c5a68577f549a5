import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import type { Selection } from '../../src/db/read/projection.ts';
import { newId } from '../../src/db/sql/id.ts';
import { inTransaction } from '../../src/db/connection/transaction.ts';
import { bulkUpdateProducts } from '../../src/product/bulkUpdateProducts.ts';
import { deleteProductList } from '../../src/product/deleteProductList.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { saveProduct } from '../../src/product/saveProduct.ts';
import { saveVariantPrices } from '../../src/product/saveVariantPrices.ts';
import { updateProductSalesChannelStatus } from '../../src/product/updateProductSalesChannelStatus.ts';
import { saveSalesChannel } from '../../src/sales-channel/saveSalesChannel.ts';
import { deleteStockLocationList } from '../../src/stock/deleteStockLocationList.ts';
import { saveProductStockLocations } from '../../src/stock/saveProductStockLocations.ts';
import { saveStockLocation } from '../../src/stock/saveStockLocation.ts';
import { saveVariantType } from '../../src/variant-type/saveVariantType.ts';
import { asProductInput, fullProductInput, plainProduct, variantTypeOf } from '../product/products.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { actionsOf, eventsOf, everythingOf, forget, register } from './ledger.ts';

/** Members that events do not have, because the bodies must not change for existing clients. */
const NOT_IN_EVENTS = new Set([
  'sourceId',
  'isComputed',
  'lowestPriceBeforeReduction',
  'variantValues',
  'heldCount',
  'availableCount',
]);

/** The members of events: those of GraphQL, except the client's own keys. */
const all = withoutLaterMembers(everythingOf('Product'));
const productScopes = ['store/product/created', 'store/product/updated', 'store/product/deleted'];

let database: TestDatabase;
let ctx: Context;

beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

const save = (input: object) => saveProduct(ctx, { input: input as never }, all);
/** The GraphQL response as JSON. */
const read = async (id: string): Promise<Record<string, unknown>> => {
  const { data } = await listProduct(ctx, { id: { eq: id }, includeDeleted: true }, { data: all });
  return JSON.parse(JSON.stringify(data[0])) as Record<string, unknown>;
};

function withoutLaterMembers(selection: Selection): Selection {
  const members = Object.entries(selection).filter(([name]) => !NOT_IN_EVENTS.has(name));
  return Object.fromEntries(
    members.map(([name, own]) => [
      name,
      ['variants', 'prices', 'stocks'].includes(name) ? withoutLaterMembers(own) : own,
    ]),
  );
}

const channel = async () =>
  (await saveSalesChannel(ctx, { input: { name: newId(), type: 'STOREFRONT' } }, { id: {} })).id;

it('sends a complete product once, with the data of a GraphQL answer', async () => {
  const input = await fullProductInput(ctx);
  await register(ctx, productScopes);
  const product = await save({ ...input, metaData: { slug: 'full', pageTitle: 'Full' } });
  const location = async () => (await saveStockLocation(ctx, { input: { name: 'Store' } }, { id: {} })).id;
  const [stockLocationId, goneLocationId] = [await location(), await location()];
  const [created] = await eventsOf(ctx);
  expect(created).toMatchObject({ scope: 'store/product/created', sequence: 1, recordId: product.id });
  expect(created!.data).toEqual(await read(product.id));
  expect(Object.keys(created!.data).sort()).toEqual(Object.keys(all).sort());
  await saveProductStockLocations(ctx, {
    input: {
      productStockLocationInputs: [
        { productId: product.id, variantId: product.variants[0]!.id, stockLocationId, stockCount: 2.5 },
        { productId: product.id, variantId: product.variants[0]!.id, stockLocationId: goneLocationId, stockCount: 7 },
      ],
    },
  });
  await deleteStockLocationList(ctx, { idList: [goneLocationId] });
  expect(await actionsOf(ctx)).toEqual(['created 1']);
  await save({
    id: product.id,
    name: 'Renamed',
    type: product.type,
    variants: product.variants.map(({ id, prices }) => ({ id, prices })),
  });
  const events = await eventsOf(ctx);
  expect(events.map(({ scope, sequence }) => [scope, sequence])).toEqual([
    ['store/product/created', 1],
    ['store/product/updated', 2],
  ]);
  expect(events[1]!.data).toEqual(await read(product.id));
  expect(events[1]!.data).toMatchObject({ name: 'Renamed', totalStock: 2.5 });
});

it('sends null for members that an input has left out', async () => {
  const type = await variantTypeOf(ctx, 'S');
  const [value] = type.values;
  const translations = [{ locale: 'de', values: [{ id: value!.id }] }];
  const values = [{ id: value!.id, name: 'S' }];
  await saveVariantType(
    ctx,
    { input: { id: type.id, name: 'Size', selectionType: 'choice', values, translations } },
    {},
  );
  await register(ctx, productScopes);
  const { id } = await save({
    ...plainProduct('Oil'),
    baseUnit: { type: 'GRAM', baseAmount: 1 },
    translations: [{ locale: 'de' }],
    metaData: {
      slug: 'oil',
      translations: [{ locale: 'de' }],
      metadataOverrides: [{ pageTitle: 'Oil', description: 'Text' }],
    },
    variants: [{ prices: [{ sellPrice: 1 }], unit: { type: 'GRAM' } }],
    productVariantTypes: [{ order: 0, variantTypeId: type.id, variantValueIds: [value!.id] }],
  });
  const data = (await eventsOf(ctx))[0]!.data as Record<string, any>;
  expect(data.baseUnit).toEqual({ type: 'GRAM', baseAmount: 1, unitId: null });
  expect(data.translations).toEqual([{ locale: 'de', name: null, description: null }]);
  expect(data.variants[0].unit).toEqual({ amount: null, type: 'GRAM' });
  expect(data.metaData.translations).toEqual([{ locale: 'de', slug: null, pageTitle: null, description: null }]);
  expect(data.metaData.metadataOverrides[0]).toMatchObject({ storefrontId: null, storefrontRegionId: null });
  expect(data.productVariantTypes[0].translations).toEqual([
    { locale: 'de', name: null, values: [{ id: value!.id, name: null }] },
  ]);
  expect(data).toEqual(await read(id));
});

it('sends nothing when a product is sent back as it was read', async () => {
  const input = await fullProductInput(ctx);
  await register(ctx, productScopes);
  const product = await save(input);
  // Saving prices as they were read adds their currency once.
  const again = await save(asProductInput(product));
  await forget(ctx);
  await save(asProductInput(again));
  expect(await actionsOf(ctx)).toEqual([]);
});

it('sends an update of the product if a price changes', async () => {
  await register(ctx, productScopes);
  const product = await save(plainProduct('Shirt'));
  const prices = (sellPrice: number) => ({
    variantPriceInputs: [{ productId: product.id, variantId: product.variants[0]!.id, price: { sellPrice } }],
  });
  await saveVariantPrices(ctx, { input: prices(12.5) });
  await saveVariantPrices(ctx, { input: prices(12.5) });
  await database.db.execute(
    sql`update variant set prices = jsonb_set(prices::jsonb, '{0,sellPrice}', '13')::json where merchant_id = ${ctx.merchantId} and product_id = ${product.id}`,
  );
  const events = await eventsOf(ctx);
  expect(
    events.map(({ scope, sequence, data }) => [
      scope,
      sequence,
      (data.variants as typeof product.variants)[0]!.prices[0]!.sellPrice,
    ]),
  ).toEqual([
    ['store/product/created', 1, 10],
    ['store/product/updated', 2, 12.5],
    ['store/product/updated', 3, 13],
  ]);
});

it('sends an update of the product if plain SQL changes one of its parts', async () => {
  const input = await fullProductInput(ctx);
  const { id } = await save({ ...input, metaData: { slug: 'parts' } });
  await register(ctx, productScopes);
  const reversed = (ids: string) =>
    `${ids} = array(select id from unnest(${ids}) with ordinality as listed(id, place) order by place desc) || '${newId()}'::uuid`;
  const changedEntry = (list: string, change: string) => `${list} = jsonb_set(${list}::jsonb, ${change})::json`;
  const changes = {
    variant: [
      `sku = 'changed'`,
      changedEntry('prices', `'{0,sellPrice}', '77.5'`),
      changedEntry('images', `'{0,fileName}', '"changed"'`),
      changedEntry('variant_value_ids', `'{1}', variant_value_ids::jsonb -> 0`),
      `attributes = '[{"value": "changed"}]'`,
      changedEntry('bundle_settings', `'{products,0,quantity}', '9'`),
    ],
    product: [
      reversed('category_ids'),
      reversed('tag_ids'),
      reversed('dynamic_price_list_ids'),
      reversed('sales_channel_ids'),
      reversed('hidden_sales_channel_ids'),
      changedEntry('sales_channels', `'{0,status}', '"PASSIVE"'`),
      changedEntry('product_variant_types', `'{0,order}', '9'`),
      `attributes = '[{"value": "changed"}]'`,
    ],
  };
  for (const [table, change] of Object.entries(changes).flatMap(([table, all]) =>
    all.map((change) => [table, change] as const),
  )) {
    const key = table === 'product' ? 'id' : 'product_id';
    await database.db.execute(
      sql.raw(`update ${table} set ${change} where merchant_id = '${ctx.merchantId}' and ${key} = '${id}'`),
    );
    expect(await actionsOf(ctx), change).toEqual([expect.stringMatching(/^updated /)]);
    expect((await eventsOf(ctx))[0]!.data, change).toEqual(await read(id));
    await forget(ctx);
  }
  await database.db.execute(
    sql`update html_meta_data set page_title = 'changed' where merchant_id = ${ctx.merchantId} and target_id = ${id}`,
  );
  await database.db.execute(
    sql`update variant set images = null where merchant_id = ${ctx.merchantId} and product_id = ${id}`,
  );
  expect(await actionsOf(ctx)).toHaveLength(2);
  expect((await eventsOf(ctx))[1]!.data).toEqual(await read(id));
});

it('sends deletions and restorations', async () => {
  await register(ctx, productScopes);
  const product = await save(plainProduct('Shirt'));
  await deleteProductList(ctx, { idList: [product.id] });
  await deleteProductList(ctx, { idList: [product.id] });
  await save({ ...plainProduct('Shirt'), id: product.id, deleted: false });
  const events = await eventsOf(ctx);
  expect(events.map(({ scope, sequence, data }) => [scope, sequence, data.deleted])).toEqual([
    ['store/product/created', 1, false],
    ['store/product/deleted', 2, true],
    ['store/product/updated', 3, false],
  ]);
});

it('sends one event with the result of several changes in one transaction', async () => {
  await register(ctx, productScopes);
  const { id } = await save(plainProduct('Shirt'));
  const set = (ctx: Context, change: string) =>
    ctx.db.execute(sql.raw(`update product set ${change} where merchant_id = '${ctx.merchantId}' and id = '${id}'`));
  const within = (...changes: string[]) =>
    inTransaction(ctx, async (ctx) => {
      for (const change of changes) await set(ctx, change);
    });
  await within(`name = 'a'`, 'deleted = true', `name = 'b'`);
  await within('deleted = false', `name = 'c'`);
  await within('deleted = true', 'deleted = false', `name = 'd'`);
  expect((await eventsOf(ctx)).map(({ scope, sequence, data }) => [scope.split('/')[2], sequence, data.name])).toEqual([
    ['created', 1, 'Shirt'],
    ['deleted', 2, 'b'],
    ['updated', 3, 'c'],
    ['updated', 4, 'd'],
  ]);
});

it('sends no deletion of a product that is restored in the same transaction', async () => {
  await register(ctx, ['store/product/created', 'store/product/deleted']);
  const { id } = await save(plainProduct('Shirt'));
  await forget(ctx);
  await inTransaction(ctx, async (own) => {
    await deleteProductList(own, { idList: [id] });
    await saveProduct(own, { input: { ...plainProduct('Shirt'), id, deleted: false } as never }, { id: {} });
  });
  expect(await eventsOf(ctx)).toEqual([]);
});

it('sends only the kinds of events for which the app has a webhook', async () => {
  await register(ctx, ['store/product/updated']);
  const { id } = await save(plainProduct('Shirt'));
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.execute(
      sql`update product set name = 'last words' where merchant_id = ${ctx.merchantId} and id = ${id}`,
    );
    await ctx.db.execute(sql`update product set deleted = true where merchant_id = ${ctx.merchantId} and id = ${id}`);
  });
  await save({ ...plainProduct('Back'), id, deleted: false });
  await deleteProductList(ctx, { idList: [id] });
  expect((await eventsOf(ctx)).map(({ scope, sequence, data }) => [scope, sequence, data.name, data.deleted])).toEqual([
    ['store/product/updated', 1, 'last words', true],
    ['store/product/updated', 2, 'Back', false],
  ]);
});

it('sends the removal of a row', async () => {
  await register(ctx, productScopes);
  const { id } = await save(plainProduct('Shirt'));
  await forget(ctx);
  await database.db.execute(sql`delete from product where merchant_id = ${ctx.merchantId} and id = ${id}`);
  expect(await eventsOf(ctx)).toMatchObject([
    { scope: 'store/product/deleted', sequence: 2, data: { id, name: 'Shirt', deleted: true } },
  ]);
});

it('sends nothing for a product that is inserted and removed in one transaction', async () => {
  await register(ctx, productScopes);
  await inTransaction(ctx, async (ctx) => {
    const { id } = await saveProduct(ctx, { input: plainProduct('Shirt') as never }, { id: {} });
    await ctx.db.execute(sql`delete from product where merchant_id = ${ctx.merchantId} and id = ${id}`);
  });
  expect(await eventsOf(ctx)).toEqual([]);
});

it('makes one snapshot for a transaction, keeps nothing of it, and discards savepoints that were rolled back', async () => {
  await register(ctx, productScopes);
  const { id } = await save(plainProduct('Shirt'));
  await forget(ctx);
  const set = (ctx: Context, change: string) =>
    ctx.db.execute(sql.raw(`update product set ${change} where merchant_id = '${ctx.merchantId}' and id = '${id}'`));
  const noted = async (ctx: Context) =>
    (await ctx.db.execute(sql`select from webhook_change where merchant_id = ${ctx.merchantId}`)).length;
  await inTransaction(ctx, async (ctx) => {
    await inTransaction(ctx, async (ctx) => {
      await set(ctx, `name = 'undone'`);
      throw new Error('undone');
    }).catch(() => undefined);
    expect(await noted(ctx)).toBe(0);
    await set(ctx, `name = 'first'`);
    await inTransaction(ctx, async (ctx) => await set(ctx, `name = 'last'`));
    expect(await noted(ctx)).toBe(1);
    expect(await eventsOf(ctx)).toEqual([]);
  });
  expect((await eventsOf(ctx)).map(({ scope, data }) => [scope, data.name])).toEqual([
    ['store/product/updated', 'last'],
  ]);
  expect(await noted(ctx)).toBe(0);
});

it('sends one event for each product of a bulk update', async () => {
  await register(ctx, productScopes);
  const products = (price: number) =>
    Array.from({ length: 20 }, (_, n) => ({
      sourceId: `p${n}`,
      name: `Product ${n}`,
      type: 'PHYSICAL',
      categories: [],
      productVariantTypes: [],
      deleted: false,
      tags: [{ name: 'new' }],
      variants: [{ sourceId: 'v', isActive: true, deleted: false, prices: [{ sellPrice: price }] }],
    }));
  await bulkUpdateProducts(ctx, { input: products(5) as never });
  await bulkUpdateProducts(ctx, { input: products(6) as never });
  const events = await eventsOf(ctx);
  expect(events.map(({ scope }) => scope)).toEqual([
    ...Array(20).fill('store/product/created'),
    ...Array(20).fill('store/product/updated'),
  ]);
  for (const { recordId, data, scope } of events)
    if (scope === 'store/product/updated') expect(data).toEqual(await read(recordId));
});

it('sends to a webhook with sales channels only their products, also one that is removed from them', async () => {
  const [shop, market] = [await channel(), await channel()];
  await register(ctx, productScopes, { salesChannelIds: [shop] });
  await save(plainProduct('Nowhere'));
  await save({ ...plainProduct('Market'), salesChannelIds: [market] });
  const { id } = await save({ ...plainProduct('Shop'), salesChannelIds: [shop, market] });
  expect(
    (await eventsOf(ctx)).map(({ scope, sequence, data }) => [scope, sequence, data.name, data.salesChannelIds]),
  ).toEqual([['store/product/created', 1, 'Shop', [shop, market]]]);
  await forget(ctx);
  await updateProductSalesChannelStatus(ctx, { input: [{ productId: id, active: false }], salesChannelId: shop });
  expect(await eventsOf(ctx)).toMatchObject([
    { scope: 'store/product/updated', sequence: 2, data: { salesChannelIds: [market] } },
  ]);
  await save({ ...plainProduct('Shop'), id, description: 'elsewhere' });
  expect(await eventsOf(ctx)).toHaveLength(1);
});

it('has, for each of two concurrent changes, the state after the other one', async () => {
  await register(ctx, productScopes);
  const product = await save({ ...plainProduct('Shirt'), description: 'none' });
  await forget(ctx);
  const price = (amount: number) =>
    database.db.execute(
      sql`update variant set prices = jsonb_set(prices::jsonb, '{0,sellPrice}', ${String(amount)}::jsonb)::json where merchant_id = ${ctx.merchantId} and product_id = ${product.id}`,
    );
  const sku = (text: string) =>
    database.db.execute(
      sql`update variant set sku = ${text} where merchant_id = ${ctx.merchantId} and product_id = ${product.id}`,
    );
  await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? price(100 + n) : sku(`sku ${n}`))));
  const events = (await eventsOf(ctx)).sort((a, b) => a.sequence - b.sequence);
  expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 20 }, (_, n) => n + 2));
  expect(events.at(-1)!.data).toEqual(await read(product.id));
});

it("sends stock counts to the webhooks of their products' sales channels", async () => {
  const shop = await channel();
  const { id: stockLocationId } = await saveStockLocation(ctx, { input: { name: 'Store' } }, { id: {} });
  const within = await save({ ...plainProduct('In'), salesChannelIds: [shop] });
  const outside = await save(plainProduct('Out'));
  await register(ctx, ['store/stock/created', 'store/stock/updated'], { salesChannelIds: [shop] });
  const count = (product: typeof within, stockCount: number) => ({
    productId: product.id,
    variantId: product.variants[0]!.id,
    stockLocationId,
    stockCount,
  });
  const set = (inCount: number, outCount: number) =>
    saveProductStockLocations(ctx, {
      input: { productStockLocationInputs: [count(within, inCount), count(outside, outCount)] },
    });
  await set(1.5, 1);
  await set(1.5, 2);
  await set(7, 3);
  const events = await eventsOf(ctx);
  expect(events.map(({ scope, sequence, data }) => [scope, sequence, data.stockCount])).toEqual([
    ['store/stock/created', 1, 1.5],
    ['store/stock/updated', 2, 7],
  ]);
  expect(events[1]!.data).toEqual({
    ...count(within, 7),
    id: events[1]!.recordId,
    createdAt: expect.any(Number),
    updatedAt: expect.any(Number),
    deleted: false,
  });
  expect(Object.keys(events[1]!.data).sort()).toEqual(
    Object.keys(withoutLaterMembers(everythingOf('ProductStockLocation'))).sort(),
  );
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { inTransaction } from '../../src/db/connection/transaction.ts';
import { newId } from '../../src/db/sql/id.ts';
import { attachImage } from '../../src/image/attach-image.ts';
import type { ImageTarget } from '../../src/image/upload-input.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { plainProduct } from './products.ts';

/** Values that the service never writes into these columns, and that the database accepts by plain SQL. */
const NO_LISTS = ['null', '{}', '5', '"x"', '{"products": 5}', ' {"type": []}'];
const DAMAGED = [...NO_LISTS, '[null]', '[null, 5, "x", []]', ' [ null ] '];
/** Values for columns whose ids a trigger reads. The trigger refuses values that are not lists. */
const DAMAGED_LISTS = ['[null]', '[null, 5, "x"]', ' [ null ] '];
const DAMAGED_TYPES = ['[{"variantValueIds": "x"}]', '[{"variantTypeId": "x", "variantValueIds": ["x"]}]'];
const CASES: [table: string, column: string, values: string[]][] = [
  ['variant', 'prices', [...DAMAGED, '[{"sellPrice": 3}]', '[{"sellPrice": 3, "priceListId": "x"}]']],
  ['variant', 'images', DAMAGED_LISTS],
  ['variant', 'variant_value_ids', DAMAGED_LISTS],
  ['variant', 'attributes', DAMAGED_LISTS],
  ['product', 'product_variant_types', [...DAMAGED, ...DAMAGED_TYPES]],
  ['product', 'attributes', DAMAGED_LISTS],
  ['product', 'sales_channels', DAMAGED],
];
type Read = { id: string; name: string };
type Delivery = { scope: string; payload: string };
type Product = { id: string; variants: { id: string; prices: object[]; images: object[] }[] };

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function call<Answer>(name: string, variables: object): Promise<Answer> {
  const { data, errors } = await api.call(ctx, name, variables);
  expect(errors, name).toBeUndefined();
  return data![name] as Answer;
}

async function damage(id: string, table: string, column: string, value: string): Promise<void> {
  const key = sql.identifier(table === 'product' ? 'id' : 'product_id');
  await database.db.execute(sql`
    update ${sql.identifier(table)} set ${sql.identifier(column)} = ${value}::json
    where merchant_id = ${ctx.merchantId} and ${key} = ${id}`);
}

async function lastSet(): Promise<string> {
  const { data } = await call<{ data: { changeSet: Read }[] }>('listChange', { pagination: { limit: 1 } });
  return data[0]!.changeSet.id;
}

async function saveDynamicList(): Promise<void> {
  const ruleList = [{ basePriceListId: null, currencySettings: {}, rules: [] }];
  const input = { name: 'List', currency: 'USD', type: 'DYNAMIC', addProductsAutomatically: true, ruleList };
  await call('savePriceList', { input });
}

describe.each(CASES)('what plain SQL stored in %s.%s', (table, column, values) => {
  it.each(['with', 'without'])('hides no other product, %s price lists that compute', async (lists) => {
    if (lists === 'with') await saveDynamicList();
    await call('saveProduct', { input: plainProduct('Whole') });
    const { id } = await call<Read>('saveProduct', { input: plainProduct('Damaged') });
    for (const value of values) {
      await damage(id, table, column, value);
      const { data } = await call<{ data: Read[] }>('listProduct', {});
      expect(data.map(({ name }) => name).toSorted(), value).toEqual(['Damaged', 'Whole']);
    }
  });

  it('is left out by a save, which succeeds', async () => {
    const { id } = await call<Read>('saveProduct', { input: plainProduct('Damaged') });
    for (const [at, value] of values.entries()) {
      await damage(id, table, column, value);
      const saved = await call<Read>('updateProduct', { id, patch: { name: `Saved ${at}` } });
      expect(saved.name, value).toBe(`Saved ${at}`);
    }
  });

  it('stays in a revert of other members, and can be reverted', async () => {
    const { id } = await call<Read>('saveProduct', { input: plainProduct('Damaged') });
    for (const [at, value] of values.entries()) {
      await call('updateProduct', { id, patch: { name: `Saved ${at}`, description: `Saved ${at}` } });
      const saved = await lastSet();
      await damage(id, table, column, value);
      const damaged = await lastSet();
      const reverted = await call<{ recordCount: number }>('revertChanges', { input: { changeSetId: saved } });
      expect(reverted.recordCount, value).toBe(1);
      await call('revertChanges', { input: { changeSetId: damaged } });
    }
  });
});

describe.each(CASES)('a webhook gets the events of a product although plain SQL changed %s.%s', (...damaged) => {
  const [table, column, values] = damaged;
  it('of a save and of a deletion', async () => {
    const scopes = ['store/product/updated', 'store/product/deleted'];
    await call('saveWebhook', { input: { endpoint: 'https://receiver.example/', scopes } });
    for (const [at, value] of values.entries()) {
      const { id } = await call<Read>('saveProduct', { input: plainProduct('Damaged') });
      await damage(id, table, column, value);
      await call('updateProduct', { id, patch: { name: `Saved ${at}` } });
      await call('deleteProductList', { idList: [id] });
      const { data } = await call<{ data: Delivery[] }>('listWebhookDelivery', { pagination: { limit: 2 } });
      const events = data.map(({ scope, payload }) => [scope, JSON.parse(payload).name]);
      expect(events, value).toEqual([
        ['store/product/deleted', `Saved ${at}`],
        ['store/product/updated', `Saved ${at}`],
      ]);
    }
  });
});

describe('a base price that plain SQL stored without a price list', () => {
  let saved: Product;
  beforeEach(async () => {
    saved = await call<Product>('saveProduct', { input: plainProduct('Damaged') });
    await damage(saved.id, 'variant', 'prices', '[{"sellPrice": 3}]');
  });
  const prices = async (): Promise<object[]> => {
    const { data } = await call<{ data: Product[] }>('listProduct', {});
    return data[0]!.variants[0]!.prices;
  };

  it('has the currency of the merchant', async () => {
    expect(await prices()).toMatchObject([{ sellPrice: 3, priceListId: null, currencyCode: 'USD' }]);
  });

  it('has the symbol of that currency', async () => {
    await database.db.execute(sql`update merchant set currency_symbol = '$' where merchant_id = ${ctx.merchantId}`);
    expect(await prices()).toMatchObject([{ currency: 'USD', currencySymbol: '$' }]);
  });

  it('is the base of computed prices', async () => {
    await saveDynamicList();
    expect(await prices()).toMatchObject([
      { sellPrice: 3, isComputed: false },
      { sellPrice: 3, isComputed: true },
    ]);
  });

  it('is kept by a save that sends another price', async () => {
    const { id: priceListId } = await call<Read>('savePriceList', { input: { name: 'Retail', currency: 'EUR' } });
    const variants = [{ id: saved.variants[0]!.id, prices: [{ sellPrice: 7, priceListId }] }];
    await call('updateProduct', { id: saved.id, patch: { variants } });
    expect(await prices()).toMatchObject([{ sellPrice: 3, priceListId: null }, { sellPrice: 7 }]);
  });

  it('is replaced by a save that sends it', async () => {
    const variants = [{ id: saved.variants[0]!.id, prices: [{ sellPrice: 7 }] }];
    await call('updateProduct', { id: saved.id, patch: { variants } });
    expect(await prices()).toMatchObject([{ sellPrice: 7, priceListId: null }]);
  });
});

describe('variant types of which plain SQL damaged the values', () => {
  it.each(['5', '"x"', '["x", 5, null]', '{}'])('hide no product: %s', async (values) => {
    const input = { name: 'Size', selectionType: 'choice', values: [{ name: 'S' }] };
    const { id: variantTypeId } = await call<Read>('saveVariantType', { input });
    const { id } = await call<Read>('saveProduct', { input: plainProduct('Damaged') });
    const type = `[{"variantTypeId": "${variantTypeId}", "order": 0, "variantValueIds": ${values}}]`;
    await damage(id, 'product', 'product_variant_types', type);
    const { data } = await call<{ data: Read[] }>('listProduct', {});
    expect(data.map(({ name }) => name)).toEqual(['Damaged']);
  });

  it.each(['5', '"x"', '["x", 5, null]', '{}'])('are sent again by a bulk update: %s', async (values) => {
    const sized = [{ variantTypeName: 'Size', variantValueName: 'S' }];
    const size = { variantTypeName: 'Size', order: 0, variantValues: [{ name: 'S' }] };
    const variants = [{ sourceId: 'v', isActive: true, prices: [{ sellPrice: 1 }], variantValues: sized }];
    const members = { name: 'Bulk', type: 'PHYSICAL', sourceId: 'bulk', categories: [], tags: [] };
    const entry = { ...members, productVariantTypes: [size], variants };
    await call('bulkUpdateProducts', { input: [entry] });
    await database.db.execute(sql`
      update product set product_variant_types = json_build_array(json_build_object(
        'variantTypeId', product_variant_types -> 0 ->> 'variantTypeId', 'order', 0,
        'variantValueIds', ${values}::json))
      where merchant_id = ${ctx.merchantId}`);
    await call('bulkUpdateProducts', { input: [entry] });
    const { data } = await call<{ data: Read[] }>('listProduct', {});
    expect(data).toMatchObject([{ name: 'Bulk', productVariantTypes: [{ variantValueIds: [expect.any(String)] }] }]);
  });
});

describe('a change of a part of a list', () => {
  it.each(DAMAGED)('takes what plain SQL stored as sales channels for none: %s', async (value) => {
    const { id: salesChannelId } = await call<Read>('saveSalesChannel', { input: { name: 'Web', type: 'STOREFRONT' } });
    const { id: productId } = await call<Read>('saveProduct', { input: plainProduct('Damaged') });
    await damage(productId, 'product', 'sales_channels', value);
    await call('updateProductSalesChannelStatus', { salesChannelId, input: [{ productId, active: true }] });
    const { data } = await call<{ data: Product[] }>('listProduct', {});
    expect(data).toMatchObject([{ salesChannelIds: [salesChannelId], salesChannels: [] }]);
  });

  it.each(DAMAGED)('replaces what plain SQL stored as prices: %s', async (value) => {
    const saved = await call<Product>('saveProduct', { input: plainProduct('Damaged') });
    await damage(saved.id, 'variant', 'prices', value);
    const price = { productId: saved.id, variantId: saved.variants[0]!.id, price: { sellPrice: 7 } };
    await call('saveVariantPrices', { input: { priceListId: null, variantPriceInputs: [price] } });
    const { data } = await call<{ data: Product[] }>('listProduct', {});
    expect(data[0]!.variants[0]!.prices).toMatchObject([{ sellPrice: 7, priceListId: null }]);
  });

  it.each(DAMAGED_LISTS)('replaces what plain SQL stored as images: %s', async (value) => {
    const saved = await call<Product>('saveProduct', { input: plainProduct('Damaged') });
    await damage(saved.id, 'variant', 'images', value);
    const target: ImageTarget = { kind: 'variant', ids: [saved.variants[0]!.id], idsPath: [], order: 0, isMain: true };
    const imageId = newId();
    await inTransaction(ctx, async (ctx) => await attachImage(ctx, target, imageId));
    const { data } = await call<{ data: Product[] }>('listProduct', {});
    expect(data[0]!.variants[0]!.images).toMatchObject([{ imageId, isMain: true }]);
  });
});

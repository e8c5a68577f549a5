import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { deletePriceListList } from '../../src/price-list/deletePriceListList.ts';
import { savePriceList } from '../../src/price-list/savePriceList.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { saveVariantPrices } from '../../src/product/saveVariantPrices.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { allOfProduct, plainProduct, productSaver } from './products.ts';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

const set = (priceListId: string | null | undefined, rows: object[], context = ctx) =>
  saveVariantPrices(context, { input: { priceListId, variantPriceInputs: rows as never } });

async function fixture() {
  const product = await productSaver(ctx)({
    ...plainProduct(newId()),
    variants: [{ prices: [{ sellPrice: 1, buyPrice: 0.5 }] }, { prices: [{ sellPrice: 2 }] }],
  });
  const { id: list } = await savePriceList(ctx, { input: { name: newId(), currency: 'EUR' } }, { id: {} });
  const row = (index: number, price: object, more: object = {}) => ({
    productId: product.id,
    variantId: product.variants[index]!.id,
    price,
    ...more,
  });
  const read = async () => (await listProduct(ctx, { id: { eq: product.id } }, { data: allOfProduct })).data[0]!;
  return { product, list, row, read };
}

describe('saveVariantPrices', () => {
  it('replaces whole rows, in one price list or as the base price', async () => {
    const { product, list, row, read } = await fixture();
    await expect(set(null, [row(0, { sellPrice: 3 })])).resolves.toBe(true);
    await expect(set(list, [row(0, { sellPrice: 4, buyPrice: 1 }), row(1, { sellPrice: 5 })])).resolves.toBe(true);
    const { variants, version, updatedAt } = await read();
    expect(variants[0]!.prices).toMatchObject([
      { sellPrice: 3, buyPrice: null },
      { sellPrice: 4, buyPrice: 1, priceListId: list },
    ]);
    expect(variants[1]!.prices).toMatchObject([{ sellPrice: 2 }, { sellPrice: 5, priceListId: list }]);
    expect(version).toBe(product.version + 2);
    expect(updatedAt).toBeGreaterThan(product.updatedAt!);
    await set(list, [row(0, { sellPrice: 0 }, { deleted: true })]);
    expect((await read()).variants[0]!.prices).toHaveLength(1);
  });

  it('removes prices of a deleted price list, and sets none', async () => {
    const { list, row, read } = await fixture();
    await set(list, [row(0, { sellPrice: 4 }), row(1, { sellPrice: 5 })]);
    await deletePriceListList(ctx, { idList: [list] });
    const removed = row(0, { sellPrice: 0 }, { deleted: true });
    for (const rows of [[row(0, { sellPrice: 9 })], [removed, row(1, { sellPrice: 9 })], []])
      await expect(set(list, rows)).rejects.toMatchObject({ code: 'NOT_FOUND', extensions: { type: 'PriceList' } });
    await expect(set(list, [removed])).resolves.toBe(true);
    const { variants } = await read();
    expect(variants.map(({ prices }) => prices.length)).toEqual([1, 2]);
    await expect(set(newId(), [removed])).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('neither sets nor removes rows of a price list that computes its prices', async () => {
    const { list, row, read } = await fixture();
    await set(list, [row(0, { sellPrice: 4 })]);
    const saveList = (type: 'DYNAMIC' | 'MANUAL') => {
      const ruleList = [{ basePriceListId: null, currencySettings: {}, rules: [] }];
      return savePriceList(ctx, { input: { id: list, name: 'List', currency: 'USD', type, ruleList } }, { id: {} });
    };
    await saveList('DYNAMIC');
    const before = await read();
    await set(list, [row(0, { sellPrice: 0 }, { deleted: true }), row(1, { sellPrice: 7 })]);
    expect(await read()).toEqual(before);
    await saveList('MANUAL');
    const { variants } = await read();
    expect(variants.map(({ prices }) => prices.map(({ sellPrice }) => sellPrice))).toEqual([[1, 4], [2]]);
  });

  it('keeps the rows in the order of their price lists, the base price first', async () => {
    const { product, row, read } = await fixture();
    const lists = [];
    for (const name of ['a', 'b', 'c'])
      lists.push((await savePriceList(ctx, { input: { name, currency: 'EUR' } }, { id: {} })).id);
    const [first, second, third] = lists as [string, string, string];
    for (const [list, sellPrice] of [
      [third, 30],
      [first, 10],
      [second, 20],
      [null, 0.5],
      [first, 11],
    ] as const)
      await set(list, [row(0, { sellPrice })]);
    const prices = async () => (await read()).variants[0]!.prices.map(({ sellPrice }) => sellPrice);
    expect(await prices()).toEqual([0.5, 11, 20, 30]);
    await set(second, [row(0, { sellPrice: 0 }, { deleted: true })]);
    expect(await prices()).toEqual([0.5, 11, 30]);
    expect((await read()).version).toBe(product.version + 6);
  });

  it('stores no currency that is the one of the price list or the merchant', async () => {
    const { list, row, read } = await fixture();
    await set(list, [row(0, { sellPrice: 4, currency: 'EUR' }), row(1, { sellPrice: 4, currency: 'TRY' })]);
    await set(null, [row(0, { sellPrice: 4, currency: 'USD' }), row(1, { sellPrice: 4, currency: 'EUR' })]);
    await savePriceList(ctx, { input: { id: list, name: newId(), currency: 'GBP' } }, { id: {} });
    await ctx.db.execute(sql`update merchant set currency_code = 'CHF' where merchant_id = ${ctx.merchantId}`);
    const { variants } = await read();
    await ctx.db.execute(sql`update merchant set currency_code = 'USD' where merchant_id = ${ctx.merchantId}`);
    expect(variants.map(({ prices }) => prices.map(({ currency }) => currency))).toEqual([
      ['CHF', 'GBP'],
      ['EUR', 'TRY'],
    ]);
  });

  it('does not change updatedAt and version for prices that are stored already', async () => {
    const { product, list, row, read } = await fixture();
    await set(list, [row(0, { sellPrice: 4 })]);
    const before = await read();
    await set(list, [row(0, { sellPrice: 4 })]);
    await set(list, [row(1, { sellPrice: 1 }, { deleted: true })]);
    await set(null, [row(0, { sellPrice: 1, buyPrice: 0.5 }), row(1, { sellPrice: 2 })]);
    expect(await read()).toEqual(before);
    expect(before.version).toBe(product.version + 1);
  });

  it('accepts an empty list', async () => {
    await expect(set(undefined, [])).resolves.toBe(true);
  });

  it('refuses the whole request for one invalid row and names it', async () => {
    const { product, list, row, read } = await fixture();
    const wrong = async (priceListId: string | null, ...rows: object[]) =>
      await set(priceListId, [row(0, { sellPrice: 9 }), ...rows]).then(
        () => null,
        (error: object) => error,
      );
    const issue = (...path: unknown[]) => ({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['input', 'variantPriceInputs', ...path] }] },
    });
    expect(await wrong(null, row(1, { sellPrice: -1 }))).toMatchObject(issue(1, 'price', 'sellPrice'));
    expect(await wrong(null, row(0, { sellPrice: 1 }))).toMatchObject(issue(1, 'variantId'));
    expect(await wrong(null, row(1, { sellPrice: 1 }, { deleted: true }))).toMatchObject(issue(1, 'deleted'));
    expect(await wrong(null, row(1, { sellPrice: 1, priceListId: list }))).toMatchObject(
      issue(1, 'price', 'priceListId'),
    );
    expect(await wrong(newId())).toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'PriceList', path: ['input', 'priceListId'] },
    });
    expect(
      await wrong(null, { productId: newId(), variantId: product.variants[1]!.id, price: { sellPrice: 1 } }),
    ).toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'Product', path: ['input', 'variantPriceInputs', 1, 'productId'] },
    });
    expect(await wrong(null, { productId: product.id, variantId: newId(), price: { sellPrice: 1 } })).toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'Variant', path: ['input', 'variantPriceInputs', 1, 'variantId'] },
    });
    const unknown = (count: number) =>
      Array.from({ length: count }, () => ({ productId: product.id, variantId: newId(), price: { sellPrice: 1 } }));
    expect(await wrong(null, ...unknown(2_999))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await wrong(null, ...unknown(3_000))).toMatchObject(issue());
    expect((await read()).variants[0]!.prices).toMatchObject([{ sellPrice: 1, buyPrice: 0.5 }]);
  });

  it('neither changes nor shows data of another merchant', async () => {
    const { list, row, read } = await fixture();
    const stranger = await createContext(database.db);
    await expect(set(null, [row(0, { sellPrice: 9 })], stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(set(list, [], stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await read()).variants[0]!.prices).toMatchObject([{ sellPrice: 1 }]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listProduct } from '../../src/product/listProduct.ts';
import { savePriceList } from '../../src/price-list/savePriceList.ts';
import { saveSalesChannel } from '../../src/sales-channel/saveSalesChannel.ts';
import type { Context } from '../../src/context.ts';
import { plainProduct, productSaver } from '../product/products.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { exportFile, type Format, FORMATS, importFile } from './files.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const SELECTED = {
  name: {},
  salesChannelIds: {},
  hiddenSalesChannelIds: {},
  salesChannels: { id: {} },
  dynamicPriceListIds: {},
};

async function saveChannel(ctx: Context, input: { id?: string; name: string }): Promise<string> {
  return (await saveSalesChannel(ctx, { input: { ...input, type: 'STOREFRONT' } }, { id: {} })).id;
}

async function saveList(ctx: Context, input: { id?: string; name: string }): Promise<string> {
  return (await savePriceList(ctx, { input: { ...input, currency: 'EUR' } }, { id: {} })).id;
}

async function shop() {
  const ctx = await createContext(database.db);
  const [web, hidden] = [await saveChannel(ctx, { name: 'Web' }), await saveChannel(ctx, { name: 'Hidden' })];
  const list = await saveList(ctx, { name: 'Retail' });
  await productSaver(ctx)({
    ...plainProduct('Tee'),
    salesChannelIds: [web],
    hiddenSalesChannelIds: [hidden],
    dynamicPriceListIds: [list],
  } as never);
  return { ctx, web, hidden, list };
}

async function productOf(ctx: Context, name?: string) {
  const { data } = await listProduct(ctx, {}, { data: SELECTED });
  return data.find((product) => name === undefined || product.name === name)!;
}

describe.each(Object.keys(FORMATS) as Format[])('an import of %s with names that the shop does not have', (format) => {
  it('keeps the lists of a stored product, names them, and changes its other members', async () => {
    const { ctx, web, hidden, list } = await shop();
    const { text } = await exportFile(ctx, format);
    const before = await productOf(ctx);
    await saveChannel(ctx, { id: web, name: 'Online shop' });
    await saveChannel(ctx, { id: hidden, name: 'Outlet' });
    await saveList(ctx, { id: list, name: 'Stores' });
    const renamed = text.replaceAll('Tee', 'Shirt');
    const { updated, skipped, unknownNames } = await importFile(ctx, format, renamed);
    expect([updated, skipped]).toEqual([1, []]);
    expect(unknownNames.toSorted()).toEqual(['price list Retail', 'sales channel Hidden', 'sales channel Web']);
    expect(await productOf(ctx)).toEqual({ ...before, name: 'Shirt' });
    expect(before).toMatchObject({ salesChannelIds: [web], dynamicPriceListIds: [list] });
  });
});

it('gives a new product those of its sales channels that the shop has', async () => {
  const { ctx, web } = await shop();
  const line = { handle: 'mug', name: 'Mug', type: 'PHYSICAL', variants: [{ prices: [{ sellPrice: 1 }] }] };
  const file = JSON.stringify({ ...line, salesChannels: ['Moon', 'Web'] });
  expect(await importFile(ctx, 'jsonl', file)).toMatchObject({ created: 1, unknownNames: ['sales channel Moon'] });
  expect(await productOf(ctx, 'Mug')).toMatchObject({ salesChannelIds: [web] });
  expect(await importFile(ctx, 'jsonl', file)).toMatchObject({ unchanged: 1 });
});

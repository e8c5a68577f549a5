import { afterAll, beforeAll, expect, it } from 'vitest';
import { deletePriceListList } from '../../../src/price-list/deletePriceListList.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { savePriceList } from '../../../src/price-list/savePriceList.ts';
import { bulkUpdateProducts } from '../../../src/product/bulkUpdateProducts.ts';
import { saveProduct } from '../../../src/product/saveProduct.ts';
import { updateProduct } from '../../../src/product/updateProduct.ts';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const BASE = { sellPrice: 5 };

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

/** Saves a product, and returns the entry of a bulk request that sets its prices. */
async function entryOf(stored: object[], sent: object[]) {
  const input = { name: 'A', type: 'PHYSICAL' as const, variants: [{ prices: stored as never }] };
  const { id, variants } = await saveProduct(ctx, { input }, { id: {}, variants: { id: {} } });
  const variant = { id: variants![0]!.id, isActive: true, prices: sent as never };
  return { ...input, id, categories: [], productVariantTypes: [], variants: [variant] };
}

it('a price list that was deleted stays with the products that have it, and comes to no other one', async () => {
  const { id: priceListId } = await savePriceList(ctx, { input: { name: 'Sale', currency: 'EUR' } }, { id: {} });
  const sent = [BASE, { sellPrice: 3, priceListId }];
  const one = await entryOf([BASE, { sellPrice: 4, priceListId }], sent);
  const other = await entryOf([BASE], sent);
  await deletePriceListList(ctx, { idList: [priceListId] });

  const path = ['input', 1, 'variants', 0, 'prices', 1, 'priceListId'];
  await expect(bulkUpdateProducts(ctx, { input: [one, other] })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    extensions: { path, ids: [priceListId] },
  });
  await bulkUpdateProducts(ctx, { input: [one] });
});

it('an unknown price list is named by its place in the request, also after rows of lists that compute', async () => {
  const ruleList = [{ currencySettings: {}, rules: [] }];
  const computing = { name: 'Computing', currency: 'EUR', type: 'DYNAMIC' as const, ruleList };
  const { id: priceListId } = await savePriceList(ctx, { input: computing }, { id: {} });
  const unknown = newId();
  const prices = [BASE, { sellPrice: 3, priceListId }, { sellPrice: 4, priceListId: unknown }];
  const entry = await entryOf([BASE], prices);
  const [variant] = entry.variants;
  const place = ['variants', 0, 'prices', 2, 'priceListId'];
  const input = { name: 'A', type: 'PHYSICAL' as const, variants: [{ prices: prices as never }] };
  const saves = [
    [() => saveProduct(ctx, { input }, { id: {} }), ['input', ...place]],
    [() => saveProduct(ctx, { input: { ...input, id: entry.id } }, { id: {} }), ['input', ...place]],
    [() => updateProduct(ctx, { id: entry.id, patch: { variants: [variant!] } }, { id: {} }), ['patch', ...place]],
    [() => bulkUpdateProducts(ctx, { input: [entry] }), ['input', 0, ...place]],
  ] as const;
  for (const [save, path] of saves)
    await expect(save()).rejects.toMatchObject({ code: 'NOT_FOUND', extensions: { path, ids: [unknown] } });
});

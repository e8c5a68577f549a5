import { afterAll, beforeAll, expect, it } from 'vitest';
import { deletePriceListList } from '../../../src/price-list/deletePriceListList.ts';
import { savePriceList } from '../../../src/price-list/savePriceList.ts';
import { bulkUpdateProducts } from '../../../src/product/bulkUpdateProducts.ts';
import { saveProduct } from '../../../src/product/saveProduct.ts';
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

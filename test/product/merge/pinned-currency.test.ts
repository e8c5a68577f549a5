import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { sentBack } from '../../support/sent-back.ts';
import { exportFile, type Format, importFile } from '../../product-file/files.ts';

type Price = { sellPrice: number; currency: string; priceListId: string | null };
type Read = { id: string; version: number; updatedAt: number; variants: { id: string; prices: Price[] }[] };
type Shop = { ctx: Context; call: (name: string, variables: object) => Promise<never>; listId: string; product: Read };

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** Saves a product with a base price and a price of a list in CHF, while the merchant and the list have USD. */
async function pinned(): Promise<Shop> {
  const ctx = await createContext(database.db);
  const call: Shop['call'] = async (name, variables) => {
    const { data, errors } = await server.call(ctx, name, variables);
    expect(errors).toBeUndefined();
    return data![name] as never;
  };
  const { id: listId } = await call('savePriceList', { input: { name: 'List', currency: 'USD' } });
  const prices = [
    { sellPrice: 1, currency: 'CHF' },
    { sellPrice: 2, currency: 'CHF', priceListId: listId },
  ];
  const product = await call('saveProduct', {
    input: { name: 'p', type: 'PHYSICAL', variants: [{ sku: 'first-sku', prices }] },
  });
  return { ctx, call, listId, product };
}

async function setCurrency({ ctx, call, listId }: Shop, currency: string): Promise<void> {
  await call('savePriceList', { input: { id: listId, name: 'List', currency } });
  await ctx.db.execute(sql`update merchant set currency_code = ${currency} where merchant_id = ${ctx.merchantId}`);
}

async function read({ call, product }: Shop): Promise<Read> {
  const { data }: { data: Read[] } = await call('listProduct', { id: { eq: product.id } });
  return data[0]!;
}

const currencies = ({ variants }: Read) => variants[0]!.prices.map(({ currency }) => currency);
const asBulk = ({ sellPrice, currency, priceListId }: Price) => ({ sellPrice, currencyCode: currency, priceListId });
const withoutCurrency = ({ sellPrice, priceListId }: Price) => ({ sellPrice, priceListId });

/** An entry of a bulk update with the prices of the product. */
function entry({ id, variants }: Read, price: (price: Price) => object): object {
  const [{ id: variantId, prices }] = variants as [Read['variants'][number]];
  const base = { id, name: 'p', type: 'PHYSICAL', categories: [], productVariantTypes: [] };
  return { ...base, variants: [{ id: variantId, prices: prices.map(price) }] };
}

function patch({ id, variants }: Read, price: (price: Price) => object): object {
  return { id, patch: { variants: variants.map(({ id, prices }) => ({ id, prices: prices.map(price) })) } };
}

const sendBack: Record<string, (shop: Shop, product: Read) => Promise<unknown>> = {
  saveProduct: async ({ call }, product) => await call('saveProduct', { input: sentBack('saveProduct', product) }),
  updateProduct: async ({ call }, product) =>
    await call(
      'updateProduct',
      patch(product, (price) => price),
    ),
  'updateProduct, which leaves out the currency': async ({ call }, product) =>
    await call('updateProduct', patch(product, withoutCurrency)),
  bulkUpdateProducts: async ({ call }, product) =>
    await call('bulkUpdateProducts', { input: [entry(product, asBulk)] }),
  'bulkUpdateProducts, which leaves out the currency': async ({ call }, product) =>
    await call('bulkUpdateProducts', { input: [entry(product, withoutCurrency)] }),
  saveVariantPrices: async ({ call }, { id, variants: [variant] }) => {
    for (const price of variant!.prices)
      await call('saveVariantPrices', {
        input: {
          priceListId: price.priceListId,
          variantPriceInputs: [{ productId: id, variantId: variant!.id, price }],
        },
      });
  },
};

describe('a price with a currency of its own, to which the price list or the merchant changes later', () => {
  it.each(Object.keys(sendBack))('is not changed when it is sent back by %s, and keeps the currency', async (way) => {
    const shop = await pinned();
    await setCurrency(shop, 'CHF');
    const before = await read(shop);
    expect(currencies(before)).toEqual(['CHF', 'CHF']);
    await sendBack[way]!(shop, before);
    expect(await read(shop)).toEqual(before);
    await setCurrency(shop, 'EUR');
    expect(currencies(await read(shop))).toEqual(['CHF', 'CHF']);
  });

  it.each<Format>(['csv', 'jsonl'])(
    'keeps the currency when a %s file changes the product otherwise',
    async (format) => {
      const shop = await pinned();
      await setCurrency(shop, 'CHF');
      const { text } = await exportFile(shop.ctx, format);
      const sku = newId();
      const changed = text.replace(/(?<=,|"sku":")first-sku/, sku);
      expect(await importFile(shop.ctx, format, changed)).toMatchObject({ updated: 1, skipped: [] });
      await setCurrency(shop, 'EUR');
      const after = await read(shop);
      expect(after.variants).toMatchObject([{ sku }]);
      expect(currencies(after)).toEqual(['CHF', 'CHF']);
    },
  );

  it('has the currency of the list or the merchant again after null was sent', async () => {
    const shop = await pinned();
    await setCurrency(shop, 'CHF');
    await shop.call(
      'updateProduct',
      patch(await read(shop), (price) => ({ ...price, currency: null })),
    );
    await setCurrency(shop, 'EUR');
    expect(currencies(await read(shop))).toEqual(['EUR', 'EUR']);
  });
});

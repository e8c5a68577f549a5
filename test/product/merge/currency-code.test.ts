import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { entry } from '../bulk/feeds.ts';
import { plainProduct, productSaver } from '../products.ts';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const product = (currency: string) => ({
  name: 'p',
  type: 'PHYSICAL',
  variants: [{ prices: [{ sellPrice: 1, currency }] }],
});

it.each<[string, (code: string) => Promise<object> | object, string]>([
  ['saveProduct', product, 'variants.0.prices.0.currency'],
  [
    'bulkUpdateProducts',
    (currencyCode) => [entry('p', [{ prices: [{ sellPrice: 1, currencyCode }] }])],
    '0.variants.0.prices.0.currencyCode',
  ],
  ['savePriceList', (currency) => ({ name: 'l', currency }), 'currency'],
  ['savePriceList', (currencyCode) => ({ name: 'l', currency: 'EUR', currencyCode }), 'currencyCode'],
  [
    'saveVariantPrices',
    async (currency) => {
      const { id, variants } = await productSaver(ctx)(plainProduct('priced'));
      const price = { sellPrice: 1, currency };
      return { variantPriceInputs: [{ productId: id, variantId: variants[0]!.id, price }] };
    },
    'variantPriceInputs.0.price.currency',
  ],
])('%s accepts the currencies of ISO 4217 and no others', async (mutation, inputOf, member) => {
  for (const code of ['XXXX', 'eur', '€', '', ' EUR', 'QQQ', 'E\0R']) {
    const { errors } = await server.call(ctx, mutation, { input: await inputOf(code) });
    const issue = { path: ['input', ...member.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))] };
    expect(errors, code).toMatchObject([{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [issue] } }]);
  }
  for (const code of ['EUR', 'TRY', 'CHF', 'JPY', 'XAF'])
    expect((await server.call(ctx, mutation, { input: await inputOf(code) })).errors, code).toBeUndefined();
});

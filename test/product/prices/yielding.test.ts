import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRecordStep } from '../../../src/db/read/read-records.ts';
import { shownProduct } from '../../../src/product/product.ts';
import { saveProduct } from '../../../src/product/saveProduct.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const VARIANTS = 1_000;
const LISTS = 50;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('a saved product with many computed prices is read with pauses for other requests', async () => {
  const ctx = await createContext(database.db);
  const entry = { basePriceListId: null, currencySettings: {}, rules: [] };
  const rate = { currencyRateSettings: { amount: 2, type: 'CUSTOM_RATE' } };
  await ctx.db.execute(sql`
    insert into price_list (merchant_id, name, currency, type, add_products_automatically, rule_list)
    select ${ctx.merchantId}, 'list ' || n, 'EUR', 'DYNAMIC', true, ${JSON.stringify([{ ...entry, ...rate }])}::json
    from generate_series(1, ${sql.raw(String(LISTS))}) as n`);
  const variants = Array.from({ length: VARIANTS }, (_, n) => ({ prices: [{ sellPrice: n + 1 }] }));
  const input = { name: 'Priced', type: 'PHYSICAL', variants } as never;
  const { id } = await saveProduct(ctx, { input }, { id: {} });
  const selection = { variants: { prices: { sellPrice: {}, isComputed: {} } } };
  const step = readRecordStep(ctx, shownProduct(ctx), id, selection);
  const rows = await ctx.db.execute(await step.statement);
  let turns = 0;
  const count = setInterval(() => (turns += 1));
  const product = await step.read([...rows]);
  clearInterval(count);
  expect(product.variants.map(({ prices }) => prices.length)).toEqual(variants.map(() => LISTS + 1));
  expect(turns).toBeGreaterThan(1);
});

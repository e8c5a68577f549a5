import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StoredPrice } from '../../../drizzle/product-values.ts';
import type { Context } from '../../../src/context.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { patchedInput } from '../../../src/product/merge/patched-input.ts';
import { storablePrices } from '../../../src/product/merge/storable-prices.ts';
import { mergePrices } from '../../../src/product/merge/variant-prices.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { shortestMs } from '../../support/shortest-ms.ts';

const [FEW, MANY] = [1_000, 16_000];
/** Times the duration for few rows. It is about 16 if the rows are looked up in a map, and 256 if each is searched. */
const MAX_TIMES_SLOWER = 64;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

/** The base price is last, so that a search for it takes longest. */
function pricesOf(count: number): StoredPrice[] {
  return Array.from({ length: count }, (_, index) => ({
    sellPrice: index,
    buyPrice: null,
    discountPrice: null,
    currency: 'USD',
    priceListId: index === count - 1 ? null : newId(),
  }));
}

it.each<[string, (prices: StoredPrice[]) => unknown]>([
  ['merged', (prices) => mergePrices(prices, prices)],
  [
    'completed',
    (prices) =>
      patchedInput(
        { variants: [{ id: 'v', prices }] } as never,
        { row: {}, variants: new Map([['v', { prices }]]) } as never,
      ),
  ],
  [
    'compared with their currencies',
    async (prices) => {
      const base = { currency: 'USD', priceListId: null };
      const storable = await storablePrices(ctx, [base]);
      return storable(
        prices.map(() => base),
        prices,
      );
    },
  ],
])('prices of a variant are %s in a time that grows with their number only', async (_, use) => {
  const [few, many] = [pricesOf(FEW), pricesOf(MANY)];
  const fewMs = await shortestMs(async () => await use(few));
  expect(await shortestMs(async () => await use(many))).toBeLessThan(MAX_TIMES_SLOWER * Math.max(fewMs, 0.1));
});

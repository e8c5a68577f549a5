import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StoredPrice } from '../../../drizzle/product-values.ts';
import type { Context } from '../../../src/context.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { patchedInput } from '../../../src/product/merge/patched-input.ts';
import { storablePrices } from '../../../src/product/merge/storable-prices.ts';
import { mergePrices } from '../../../src/product/merge/merge-variant.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const ROWS = 1_000;
/** How often the list of a row is read. A search of all rows for each row reads it 500 times. */
const MAX_READS = 10;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

/** Rows that count how often their price list is read. The base price is last, so that a search for it takes longest. */
function countedPrices(): { prices: StoredPrice[]; reads: () => number } {
  let reads = 0;
  const prices = Array.from({ length: ROWS }, (_, index) => {
    const priceListId = index === ROWS - 1 ? null : newId();
    const row = { sellPrice: index, buyPrice: null, discountPrice: null, currency: 'USD', priceListId };
    const read = (): string | null => ((reads += 1), priceListId);
    return Object.defineProperty(row, 'priceListId', { get: read, enumerable: true });
  });
  return { prices, reads: () => reads };
}

it.each<[string, (prices: StoredPrice[]) => unknown]>([
  ['merged', (prices) => mergePrices(prices, prices.toReversed())],
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
])('prices of a variant are %s without a search for each of them', async (_, use) => {
  const { prices, reads } = countedPrices();
  await use(prices);
  expect(reads()).toBeGreaterThanOrEqual(ROWS);
  expect(reads() / ROWS).toBeLessThan(MAX_READS);
});

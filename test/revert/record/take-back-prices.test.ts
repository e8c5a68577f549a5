import { expect, it } from 'vitest';
import { changedPrices, takeBackPrices } from '../../../src/revert/record/take-back-prices.ts';

it('takes back a price whose price list has a dot in its id, as plain SQL can store it', () => {
  const price = { sellPrice: 1, buyPrice: null, discountPrice: null, currency: null, priceListId: 'a.b' };
  const [before, after] = [[price], [{ ...price, sellPrice: 2 }]];
  const paths = changedPrices(before, after);
  expect(takeBackPrices(after, before, after, paths)).toEqual({ prices: before, conflicts: [] });
});

it('leaves out a member with a dot in its name', () => {
  const price = { sellPrice: 1, priceListId: null, 'a.b': 1 };
  const [before, after] = [[price], [{ ...price, sellPrice: 2, 'a.b': 2 }]];
  const paths = changedPrices(before, after);
  expect(takeBackPrices(after, before, after, paths)).toMatchObject({ prices: [{ sellPrice: 1 }], conflicts: [] });
});

import { describe, expect, it } from 'vitest';
import type { StoredPrice } from '../../../drizzle/product-values.ts';
import { UNCHANGED_LIST } from '../../../src/product/prices/list-history.ts';
import { lowestPrice, type PriceHistory } from '../../../src/product/prices/lowest-price.ts';
import type { PriceChanges, VariantChange } from '../../../src/product/prices/price-changes.ts';
import { priceHistories, priceIn } from '../../../src/product/prices/price-history.ts';
import { random } from '../../support/random.ts';

const PAGES = 300;
const DAY_MS = 86_400_000;

const price = (sellPrice: number, priceListId: string | null = null): StoredPrice =>
  ({ sellPrice, discountPrice: sellPrice - 1, buyPrice: null, currency: null, priceListId }) as StoredPrice;

const page = (changes: readonly VariantChange[], more: Partial<PriceChanges> = {}): PriceChanges => ({
  sinceMs: 0,
  currencySinceMs: null,
  changes,
  lists: [],
  ...more,
});

it.each([
  ['variants', 400, (n: number) => ({ variantId: `v${n}`, priceListId: null })],
  ['price lists of one variant', 400, (n: number) => ({ variantId: 'v', priceListId: `l${n}` })],
])('looks at a change a few times, however many %s of its product are reduced', async (_, count, placeOf) => {
  let looks = 0;
  const changes = Array.from({ length: count * 5 }, (_, n) => {
    const { variantId, priceListId } = placeOf(n % count);
    const change = {
      id: null,
      atMs: 9_999 - n,
      productId: 'p',
      variantId,
      before: { prices: [price(n, priceListId)] },
    };
    return new Proxy(change, { get: (from, name) => ((looks += 1), Reflect.get(from, name)) });
  });
  const histories = (await priceHistories({}, page(changes)))!;
  for (let n = 0; n < count; n++) {
    const place = { productId: 'p', inheritedCurrency: 'EUR', ...placeOf(n) };
    expect(lowestPrice(histories.of(place, price(7)), { days: 30, beforeMs: null })).not.toBeNull();
  }
  expect(looks / changes.length).toBeLessThan(10);
});

/** All changes of the page, filtered for one price. */
function filtered(found: PriceChanges, variantId: string, priceListId: string | null): PriceHistory {
  const own = found.changes.filter(
    (one) => one.productId === 'p' && [null, variantId].includes(one.variantId) && one.atMs >= found.sinceMs!,
  );
  const changes = own.map((one) => ({
    id: one.id,
    atMs: one.atMs,
    before: priceIn(one.before?.prices, priceListId),
    isCreated: one.before?.isCreated ?? false,
    isTruncated: one.variantId === null,
  }));
  return { present: null, sinceMs: found.sinceMs, changes, list: UNCHANGED_LIST, inheritedCurrency: null };
}

it(`gives each price what all changes of the page say of it, in ${PAGES} random pages`, async () => {
  const next = random(11);
  const [variants, lists] = [
    ['v0', 'v1'],
    [null, 'l0', 'l1'],
  ];
  const reasons = new Set<string | null | undefined>();
  for (let n = 0; n < PAGES; n++) {
    const rows = () => lists.flatMap((id) => (next(2) ? [price(next(4) || Number.NaN, id)] : []));
    const changes = Array.from({ length: next(12) }, (_, index): VariantChange => {
      const isCreated = next(8) === 0;
      return {
        id: `c${index}`,
        atMs: (100 - index) * DAY_MS,
        productId: next(4) ? 'p' : 'other',
        variantId: next(16) ? variants[next(2)]! : null,
        before: { isCreated, prices: isCreated ? null : rows() },
      };
    });
    const found = page(changes, { sinceMs: (80 + next(20)) * DAY_MS });
    const histories = (await priceHistories({}, found))!;
    for (const variantId of variants)
      for (const priceListId of lists) {
        const present = priceIn(rows(), priceListId);
        const period = { days: 1 + next(9), beforeMs: next(2) ? null : (88 + next(12)) * DAY_MS };
        const place = { productId: 'p', variantId, priceListId, inheritedCurrency: null };
        const own = lowestPrice(histories.of(place, present), period);
        expect(own).toEqual(lowestPrice({ ...filtered(found, variantId, priceListId), present }, period));
        reasons.add(own && own.reason);
      }
  }
  expect(reasons).toEqual(new Set(['HISTORY_TOO_SHORT', 'NO_PRICE', 'VALUES_NOT_KEPT', null]));
});

describe('after the merchant has changed its currency to EUR, the lowest price', () => {
  const EUR = 'EUR';
  type Row = { sellPrice: number; discountPrice?: number; currency?: string | null };

  /** `before`: the rows before changes, by days, the last one first. The currency changed on day 95. */
  async function lowestOf(present: Row, before: [day: number, row: Row][]): Promise<object | null> {
    const changes = before.map(([day, row]) => ({
      id: null,
      atMs: day * DAY_MS,
      productId: 'p',
      variantId: 'v',
      before: { prices: [row as StoredPrice] },
    }));
    const histories = (await priceHistories({}, page(changes, { currencySinceMs: 95 * DAY_MS })))!;
    const place = { productId: 'p', variantId: 'v', priceListId: null, inheritedCurrency: EUR };
    return lowestPrice(histories.of(place, present as StoredPrice), { days: 30, beforeMs: null });
  }

  it('is not known of rows of plain SQL without the member `currency`', async () => {
    const lowest = await lowestOf({ sellPrice: 10, discountPrice: 8 }, [[100, { sellPrice: 10 }]]);
    expect(lowest).toMatchObject({ reason: 'CURRENCY_CHANGED' });
  });

  it('is known of a price with its own currency, also if it had none before the period', async () => {
    const own = { sellPrice: 10, currency: EUR };
    const lowest = await lowestOf({ ...own, discountPrice: 8 }, [
      [100, own],
      [20, { sellPrice: 9, currency: null }],
    ]);
    expect(lowest).toMatchObject({ sellPrice: 10, currency: EUR, reason: null });
  });

  it('is not known of a price that got the same currency of its own in the period', async () => {
    const own = { sellPrice: 10, currency: EUR };
    const lowest = await lowestOf({ ...own, discountPrice: 8 }, [
      [100, own],
      [98, { sellPrice: 10, currency: null }],
    ]);
    expect(lowest).toMatchObject({ reason: 'CURRENCY_CHANGED' });
  });
});

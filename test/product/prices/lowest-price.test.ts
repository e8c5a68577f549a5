import { describe, expect, it } from 'vitest';
import { type ListHistory, UNCHANGED_LIST } from '../../../src/product/prices/list-history.ts';
import {
  type HistoricPrice,
  lowestPrice,
  type PriceChange,
  type PriceHistory,
} from '../../../src/product/prices/lowest-price.ts';
import { random } from '../../support/random.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const HISTORIES = 10_000;

function randomPrice(next: (max: number) => number): HistoricPrice | null {
  if (next(12) === 0) return null;
  const sellPrice = 10 + next(5);
  return { sellPrice, discountPrice: next(2) ? 6 + next(6) : null, currency: null };
}

const amountOf = (price: HistoricPrice): number => price.discountPrice ?? price.sellPrice;
const isReduced = (price: HistoricPrice | null | undefined): boolean =>
  price?.discountPrice != null && price.discountPrice < price.sellPrice;

/** The price at each minute; undefined before the variant existed. */
type Minutes = (HistoricPrice | null | undefined)[];

/** Looks at each minute of the period. Null without a reduction, NaN without a price. */
function byMinutes(minutes: Minutes, days: number, before: number | null): number | null {
  const end = endOf(minutes, before);
  if (end === null) return null;
  const prices = minutes.slice(Math.max(0, end - days * DAY_MINUTES), end).filter((price) => price != null);
  return prices.length === 0 ? Number.NaN : Math.min(...new Set(prices.map(amountOf)));
}

/** The minute at which the period ends: before the reduction, if no time is given. */
function endOf(minutes: Minutes, before: number | null): number | null {
  if (before !== null) return before;
  let end = minutes.length - 1;
  if (!isReduced(minutes[end])) return null;
  while (end > 0 && isReduced(minutes[end - 1])) end--;
  return end;
}

type Random = { history: PriceHistory; minutes: Minutes };

function randomHistory(next: (max: number) => number): Random {
  const length = DAY_MINUTES * (1 + next(4));
  const created = next(2) * next(length);
  const minutes: Minutes = [];
  const changes: PriceChange[] = [];
  let price: HistoricPrice | null = randomPrice(next);
  if (created > 0)
    changes.unshift({
      id: String(created),
      atMs: created * MINUTE_MS,
      before: null,
      isCreated: true,
      isTruncated: false,
    });
  const density = 1 + next(600);
  for (let minute = 0; minute < length; minute++) {
    if (minute > created && next(density) === 0) {
      const atMs = minute * MINUTE_MS;
      // Plain SQL can remove a variant and insert it again.
      const isCreated = price === null && next(2) === 0;
      changes.unshift({ id: String(minute), atMs, before: price, isCreated, isTruncated: false });
      price = randomPrice(next);
    }
    minutes.push(minute < created ? undefined : price);
  }
  return { minutes, history: { present: price, changes, list: UNCHANGED_LIST, inheritedCurrency: null, sinceMs: 0 } };
}

describe('the lowest price', () => {
  it(`is what a look at each minute finds, in ${HISTORIES} random histories`, () => {
    const next = random(7);
    const counts = { none: 0, unknown: 0, noPrice: 0, found: 0 };
    for (let n = 0; n < HISTORIES; n++) {
      const { history, minutes } = randomHistory(next);
      const days = 1 + next(3);
      const before = next(2) ? null : next(minutes.length);
      const own = lowestPrice(history, { days, beforeMs: before === null ? null : before * MINUTE_MS });
      const expected = byMinutes(minutes, days, before);
      const label = `history ${n}`;
      if (expected === null) {
        expect(own, label).toBeNull();
        counts.none++;
      } else if (own!.reason === 'HISTORY_TOO_SHORT') {
        // Nothing is known before the first minute, unless the variant was created later.
        const isCreated = history.changes.at(-1)?.isCreated ?? false;
        expect(isCreated, label).toBe(false);
        expect(endOf(minutes, before)! - days * DAY_MINUTES, label).toBeLessThan(0);
        counts.unknown++;
      } else if (Number.isNaN(expected)) {
        expect(own!.reason, label).toBe('NO_PRICE');
        counts.noPrice++;
      } else {
        expect(own!.sellPrice, label).toBe(expected);
        counts.found++;
      }
    }
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(100);
  });

  const at = (day: number): number => day * DAY_MINUTES * MINUTE_MS;
  const change = (day: number, before: Partial<HistoricPrice> | null): PriceChange => ({
    id: String(day),
    atMs: at(day),
    before: before && { sellPrice: 10, discountPrice: null, currency: null, ...before },
    isCreated: before === null,
    isTruncated: false,
  });
  const history = (changes: PriceChange[], more: Partial<PriceHistory> = {}): PriceHistory => ({
    present: { sellPrice: 10, discountPrice: 7, currency: null },
    changes,
    list: UNCHANGED_LIST,
    inheritedCurrency: null,
    sinceMs: 0,
    ...more,
  });
  const of = (one: PriceHistory, days = 30) => lowestPrice(one, { days, beforeMs: null });

  it('counts a price that was set before the period and was in force in it, and not the reduced price', () => {
    expect(of(history([change(100, { sellPrice: 9 }), change(10, {})]))).toMatchObject({
      sellPrice: 9,
      inForceFrom: at(10),
      inForceUntil: at(100),
      changeIds: ['10', '100'],
    });
  });

  it('counts an earlier reduction that has ended', () => {
    const changes = [change(100, {}), change(90, { discountPrice: 8 }), change(85, {})];
    expect(of(history(changes))).toMatchObject({ sellPrice: 8, inForceFrom: at(85), inForceUntil: at(90) });
    expect(of(history(changes), 5)).toMatchObject({ sellPrice: 10 });
  });

  it('takes steps of one reduction together', () => {
    expect(of(history([change(101, { discountPrice: 9 }), change(100, {})]))).toMatchObject({ sellPrice: 10 });
  });

  it('knows what was before a variant was removed and inserted again', () => {
    const removed = { ...change(50, {}), before: { sellPrice: 6, discountPrice: null, currency: null } };
    const changes = [change(60, {}), change(52, null), removed, change(5, null)];
    expect(of(history(changes))).toMatchObject({ sellPrice: 6, inForceUntil: at(50) });
  });

  it('says why it is not known', () => {
    expect(of(history([change(100, {})], { sinceMs: at(80) }))).toMatchObject({ reason: 'HISTORY_TOO_SHORT' });
    expect(of(history([change(100, {})], { sinceMs: null }))).toMatchObject({ reason: 'HISTORY_TOO_SHORT' });
    expect(of(history([change(100, {}), change(90, null)], { sinceMs: at(80) }))).toMatchObject({ sellPrice: 10 });
    expect(of(history([change(90, null)]))).toMatchObject({ reason: 'NO_PRICE' });
    expect(of(history([]))).toMatchObject({ reason: 'HISTORY_TOO_SHORT' });
    expect(of(history([change(100, {}), change(95, { currency: 'USD' })]))).toMatchObject({
      reason: 'CURRENCY_CHANGED',
    });
    expect(of(history([change(100, { currency: 'USD' })]))).toMatchObject({ reason: 'CURRENCY_CHANGED' });
    const listed = (changes: Partial<ListHistory>) =>
      history([change(100, {})], { list: { ...UNCHANGED_LIST, ...changes } });
    expect(of(listed({ currencySinceMs: at(99) }))).toMatchObject({ reason: 'CURRENCY_CHANGED' });
    expect(of(listed({ currencySinceMs: at(101) }))).toMatchObject({ reason: 'CURRENCY_CHANGED' });
    expect(of(listed({ currencySinceMs: at(69) }))).toMatchObject({ sellPrice: 10 });
    expect(of(listed({ rules: [{ atMs: at(99) }] }))).toMatchObject({ reason: 'COMPUTED_PRICES' });
    expect(of(history([change(100, {}), { ...change(95, {}), isTruncated: true }]))).toMatchObject({
      reason: 'VALUES_NOT_KEPT',
    });
  });
});

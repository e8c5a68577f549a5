import fc, { type Arbitrary } from 'fast-check';
import { mayRepeat, orNull, slot, slots, text } from './choices.ts';
import { definition, type Request } from './command.ts';
import { commitHolds, extendHolds, type HoldEntry, holdStock, releaseHolds, sweepHolds, TIMES } from './hold.ts';
import { defined, distinct, idAt, place, placeAt } from './inputs.ts';
import { hasTwins } from './product.ts';
import type { Place, State } from './state.ts';
import { addDeltas, countAt, type Delta, MAX_COUNT, saveStocks } from './stock.ts';

/** All sums of them are exact as floating point numbers. */
const quantity = rarely(0, [1, 2.5, 3, 0.015625]);
const little = rarely(0, [1, 0.015625]);
/** Counts near the limit have more decimals than a number of JSON, so they change when they are sent back as read. */
const MAX_EXACT = 1e9;
/** Null: what it is already. */
const count = rarely<number | null>(-1e12, [null, -1, 0, 2.5, 7]);
const delta = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(5, 2.5, 0.015625, -0.015625, -1, -3) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1e12, -1e12) },
);
const expiresAt = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(TIMES.tomorrow, TIMES.later) },
  { weight: 1, arbitrary: fc.constantFrom(TIMES.past, TIMES.tooFar) },
);
/** Mostly a new key, sometimes that of another entry. */
const usedKey = fc.oneof({ weight: 15, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: slot });
const reference = orNull(text);
const entriesOf = <T>(entry: Arbitrary<T>) => fc.array(entry, { minLength: 1, maxLength: 2 });

export const STOCK_COMMANDS = {
  saveStocks: definition({
    weight: 4,
    choices: fc.record({ mayRepeat, entries: entriesOf(fc.record({ place, stockCount: count })) }),
    request: (state, { mayRepeat, entries }) => {
      const sent = entries.map(({ place, stockCount }) => {
        const at = placeAt(state, place);
        const found = countAt(state, at);
        return { ...at, stockCount: stockCount ?? (Math.abs(found) < MAX_EXACT ? found : 0) };
      });
      const inputs = distinct(sent, (one) => `${one.variantId} ${one.stockLocationId}`, mayRepeat);
      return {
        operation: 'saveProductStockLocations',
        variables: { input: { productStockLocationInputs: inputs } },
        verdict: saveStocks(state, inputs),
      };
    },
  }),
  adjustStock: definition({
    weight: 8,
    choices: fc.record({
      mayRepeat,
      entries: entriesOf(
        fc.record(
          {
            place,
            usedKey,
            delta,
            kind: fc.constantFrom('RECEIVED', 'SOLD', 'DAMAGED'),
            reference,
            expected: rarely<'right' | 'wrong'>('wrong', ['right']),
            allowNegative: orNull(rarely(true, [false])),
          },
          { requiredKeys: ['place', 'usedKey', 'delta'] },
        ),
      ),
    }),
    request: (state, { mayRepeat, entries }) => {
      const sent = entries.map(({ place, usedKey, expected, ...members }, index) => {
        const at = placeAt(state, place);
        const found = countAt(state, at);
        const expectedCount = { right: found, wrong: found + 1, none: undefined }[expected ?? 'none'];
        return defined({ ...at, key: keyAt(state, usedKey, index), ...members, expectedCount });
      });
      return adjustment(
        state,
        distinct(sent, ({ key }) => key, mayRepeat),
      );
    },
  }),
  moveStock: definition({
    weight: 4,
    choices: fc.record({ entries: entriesOf(fc.record({ place, usedKey, to: slot, quantity: little, reference })) }),
    request: (state, { entries }) => {
      const sent = entries.map(({ place, usedKey, to, ...members }, index) => {
        const { stockLocationId: fromStockLocationId, ...at } = placeAt(state, place);
        const others = state.named.location.filter(({ id }) => id !== fromStockLocationId);
        const toStockLocationId = to === 0 ? fromStockLocationId : idAt(others, to);
        return { ...at, fromStockLocationId, toStockLocationId, key: keyAt(state, usedKey, index), ...members };
      });
      return move(
        state,
        distinct(sent, ({ key }) => key, false),
      );
    },
  }),
  holdStock: definition({
    weight: 8,
    choices: fc.record({
      mayRepeat,
      entries: entriesOf(fc.record({ place, usedKey, quantity, reference, expiresAt, hasProduct: fc.boolean() })),
    }),
    request: (state, { mayRepeat, entries }) => {
      const sent = entries.map(({ place, usedKey, hasProduct, ...members }, index) => {
        const { productId, ...at } = placeAt(state, place);
        return { ...(hasProduct && { productId }), ...at, key: keyAt(state, usedKey, index), ...members };
      });
      return hold(
        state,
        distinct(sent, ({ key }) => key, mayRepeat),
      );
    },
  }),
  repeatStock: definition({
    weight: 3,
    choices: slot,
    request: (state, chosen) => {
      const contents = Object.values(state.stockKeys).map(({ content }) => content);
      if (contents.length === 0) return adjustment(state, []);
      const [operation, entry] = JSON.parse(contents[chosen % contents.length]!) as [string, never];
      return { adjustStock: adjustment, moveStock: move, holdStock: hold }[operation]!(state, [entry]);
    },
  }),
  endHolds: definition({
    weight: 5,
    choices: fc.record({ operation: fc.constantFrom('commitHold', 'releaseHold'), slots }),
    request: (state, { operation, slots }) => {
      const idList = slots.map((one) => idAt(state.holds, one));
      const verdict = (operation === 'commitHold' ? commitHolds : releaseHolds)(state, idList);
      return { operation, variables: { idList }, verdict };
    },
  }),
  extendHold: definition({
    weight: 2,
    choices: fc.record({ slots, expiresAt }),
    request: (state, { slots, expiresAt }) => {
      const idList = slots.map((one) => idAt(state.holds, one));
      return {
        operation: 'extendHold',
        variables: { idList, expiresAt },
        verdict: extendHolds(state, idList, expiresAt),
      };
    },
  }),
  sweep: definition({
    weight: 1,
    choices: fc.constant({}),
    request: (state) => ({ operation: 'sweep', variables: {}, verdict: { settle: () => sweepHolds(state) } }),
  }),
} as const;

type Adjustment = Place & Partial<Delta> & { key: string; delta: number };
type Move = Omit<Place, 'stockLocationId'> &
  Record<'fromStockLocationId' | 'toStockLocationId' | 'key', string> & { quantity: number; reference: string | null };
type HoldInput = Omit<HoldEntry, 'productId' | 'content' | 'path'> & { productId?: string };

function adjustment(state: State, input: readonly Adjustment[]): Request {
  const deltas = input.map((entry, index): Delta => {
    const empty = { reference: null, expectedCount: null, allowNegative: null };
    return { kind: 'CORRECTED', ...empty, ...entry, path: ['input', index], content: contentOf('adjustStock', entry) };
  });
  const isInvalid =
    hasTwins(input.map(({ key }) => key)) ||
    input.some(({ delta, expectedCount }) => delta === 0 || Math.abs(expectedCount ?? 0) > MAX_COUNT);
  return { operation: 'adjustStock', variables: { input }, verdict: addDeltas(state, deltas, isInvalid) };
}

function move(state: State, input: readonly Move[]): Request {
  const deltas = input.flatMap(({ fromStockLocationId, toStockLocationId, quantity, ...rest }, index): Delta[] => {
    const content = contentOf('moveStock', input[index]!);
    const one = { ...rest, kind: 'MOVED', expectedCount: null, allowNegative: null, path: ['input', index], content };
    return [
      { ...one, stockLocationId: fromStockLocationId, delta: -quantity },
      { ...one, stockLocationId: toStockLocationId, delta: quantity },
    ];
  });
  const isInvalid = input.some((one) => one.quantity === 0 || one.fromStockLocationId === one.toStockLocationId);
  return { operation: 'moveStock', variables: { input }, verdict: addDeltas(state, deltas, isInvalid) };
}

function hold(state: State, input: readonly HoldInput[]): Request {
  const entries = input.map((entry, index): HoldEntry => {
    const owner = state.products.find(({ variants }) => variants.some(({ id }) => id === entry.variantId));
    const place = { productId: owner?.id ?? 'unknown' };
    return { ...place, ...entry, path: ['input', index], content: contentOf('holdStock', entry) };
  });
  const isInvalid = input.some((entry) => entry.quantity === 0) || hasTwins(input.map(({ key }) => key));
  return { operation: 'holdStock', variables: { input }, verdict: holdStock(state, entries, isInvalid) };
}

function keyAt({ stockKeys }: State, used: number | null, index: number): string {
  const keys = Object.keys(stockKeys);
  return used === null || keys.length === 0 ? `key ${keys.length}-${index}` : keys[used % keys.length]!;
}

/** Members that are null count as left out. */
function contentOf(operation: string, entry: object): string {
  return JSON.stringify([operation, Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null))]);
}

function rarely<T>(rare: T, usual: readonly T[]): Arbitrary<T> {
  return fc.oneof({ weight: 15, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constant(rare) });
}

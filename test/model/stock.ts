import { hasTwins } from './product.ts';
import {
  byId,
  type Movement,
  type Place,
  refusedWith,
  shown,
  type State,
  type StockCount,
  unless,
  variantAt,
  type Verdict,
} from './state.ts';

/** Of a count that a request sets or adds to. The commit of a hold may pass it. */
export const MAX_COUNT = 1e12;

/** An entry of adjustStock, or a side of one of moveStock. Both sides of a move have its key. */
export type Delta = Entry & Movement & { expectedCount: number | null; allowNegative: boolean | null };
export type Entry = Place & { key: string; content: string; path: (string | number)[] };

export function saveStocks(state: State, entries: readonly (Place & { stockCount: number })[]): Verdict {
  const isUnknown = entries.some((entry) => !isKnown(state, entry));
  return unless([hasTwins(entries.map(placeOf)) && 'ARGUMENT_VALIDATION_ERROR', isUnknown && 'NOT_FOUND'], () =>
    entries.reduce((after, { stockCount, ...place }) => withCount(after, place, stockCount), state),
  );
}

/** An absolute count is a movement of what it differs. */
export function withCount(state: State, place: Place, stockCount: number): State {
  const delta = stockCount - countAt(state, place);
  const stored = rowAt(state, place);
  if (stored && delta === 0)
    // Reverts compare objects: a new one with the same values would count as a change.
    return stored.deleted ? { ...state, stocks: withRow(state, { ...stored, deleted: false }) } : state;
  return withMovement(state, place, { kind: 'COUNTED', delta, key: null, reference: null });
}

/** `isInvalid`: whether the request breaks a rule of its input, such as a repeated key. */
export function addDeltas(state: State, deltas: readonly Delta[], isInvalid: boolean): Verdict {
  const open = deltas.filter(({ key }) => !state.stockKeys[key]);
  const problems = refusedDeltas(state, open);
  const refused = refusedWith([
    (isInvalid || problems.some(({ isOutside }) => isOutside)) && 'ARGUMENT_VALIDATION_ERROR',
    deltas.some((entry) => !isKnown(state, entry)) && 'NOT_FOUND',
    (problems.length > 0 || hasWrongKey(state, deltas)) && 'CONFLICT',
  ]);
  if (refused) return { ...refused, refused: problems.map(({ shown }) => shown) };
  const keys = [...new Set(deltas.map(({ key }) => key))];
  return {
    settle: () => open.reduce((after, one) => withMovement(withKey(after, one), one, one), state),
    answer: (after) => {
      const made = shownMovements(after);
      return keys.flatMap((key) => made.filter((one) => one.key === key).toSorted((a, b) => a.delta - b.delta));
    },
  };
}

type Problem = { isOutside: boolean; shown: object };

/** Each is checked as if the entries before it that are not refused were applied. */
function refusedDeltas(state: State, deltas: readonly Delta[]): Problem[] {
  let after = state;
  return [...Map.groupBy(deltas, ({ path }) => String(path)).values()].flatMap((entry) => {
    const problems = entry.flatMap((delta) => refusedDelta(after, delta));
    if (problems.length > 0) return problems;
    for (const one of entry) after = withMovement(after, one, one);
    return [];
  });
}

function refusedDelta(state: State, { path, delta, expectedCount, allowNegative, ...place }: Delta): Problem[] {
  const found = countAt(state, place);
  const available = found - heldAt(state, place);
  if (expectedCount !== null && expectedCount !== found) return [{ isOutside: false, shown: { path, found } }];
  if (Math.abs(found + delta) > MAX_COUNT) return [{ isOutside: true, shown: { path } }];
  const isShort = delta < 0 && available + delta < 0 && !allowNegative && !mayBeNegative(state, place);
  return isShort ? [{ isOutside: false, shown: { path, available } }] : [];
}

function mayBeNegative(state: State, place: Place): boolean {
  const location = byId(state.named.location, place.stockLocationId);
  return variantAt(state, place)?.sellIfOutOfStock === true || location?.allowsNegativeStock === true;
}

/** Whether a key is used for another entry, or its record is gone. */
export function hasWrongKey({ stockKeys }: State, entries: readonly { key: string; content: string }[]): boolean {
  return entries.some(({ key, content }) => {
    const stored = stockKeys[key];
    return stored && (stored.isGone || stored.content !== content);
  });
}

export function withKey(state: State, { key, content }: Entry): State {
  return { ...state, stockKeys: { ...state.stockKeys, [key]: { content, isGone: false } } };
}

export function withMovement(
  state: State,
  { productId, variantId, stockLocationId }: Place,
  { kind, delta, key, reference }: Movement,
): State {
  const place = { productId, variantId, stockLocationId };
  const { movements, openedAt } = rowAt(state, place) ?? { movements: [], openedAt: state.moments.length };
  const more = [...movements, { kind, delta, key, reference }];
  return { ...state, stocks: withRow(state, { ...place, movements: more, deleted: false, openedAt }) };
}

function withRow({ stocks }: State, row: StockCount): StockCount[] {
  return [...stocks.filter((one) => placeOf(one) !== placeOf(row)), row];
}

/** Plain SQL that removes a count takes its movements and holds with it. */
export function withoutCount(state: State, place: Place): State {
  const isHere = (one: Place) => placeOf(one) === placeOf(place);
  const holds = state.holds.filter(isHere);
  const gone = [...movementsAt(state, place), ...holds].map(({ key }) => key);
  return {
    ...state,
    stocks: state.stocks.filter((one) => !isHere(one)),
    holds: state.holds.filter((one) => !isHere(one)),
    stockKeys: Object.fromEntries(
      Object.entries(state.stockKeys).map(([key, one]) => [key, gone.includes(key) ? { ...one, isGone: true } : one]),
    ),
  };
}

/** A deleted product, variant or stock location counts as unknown, unless the row exists already. */
export function isKnown(state: State, place: Place): boolean {
  const [product, location] = [
    byId(state.products, place.productId),
    byId(state.named.location, place.stockLocationId),
  ];
  const found = [product, variantAt(state, place), location];
  return found.every((one) => one && (!one.deleted || rowAt(state, place)));
}

function movementsAt(state: State, place: Place): readonly Movement[] {
  return rowAt(state, place)?.movements ?? [];
}

export function rowAt({ stocks }: State, place: Place): StockCount | undefined {
  return stocks.find((one) => placeOf(one) === placeOf(place));
}

export function countAt(state: State, place: Place): number {
  return sumOf(movementsAt(state, place).map(({ delta }) => delta));
}

/** What active holds hold now. */
export function heldAt({ holds }: State, place: Place): number {
  return sumOf(holds.filter((hold) => isActive(hold) && placeOf(hold) === placeOf(place)).map((one) => one.quantity));
}

/** Hours and days are far enough from the time of the run. */
export function isActive({ status, expiresAt }: { status: string; expiresAt: number }): boolean {
  return status === 'ACTIVE' && expiresAt > Date.now();
}

export function shownMovements({ stocks }: State) {
  return stocks.flatMap(({ movements, productId, variantId, stockLocationId }) =>
    movements.map((one, index) => {
      const countAfter = sumOf(movements.slice(0, index + 1).map(({ delta }) => delta));
      return { productId, variantId, stockLocationId, ...one, sequence: index + 1, countAfter };
    }),
  );
}

export function shownCounts(state: State) {
  return shown(state.stocks).map(({ productId, variantId, stockLocationId }) => {
    const place = { productId, variantId, stockLocationId };
    const [stockCount, heldCount] = [countAt(state, place), heldAt(state, place)];
    return { ...place, stockCount, heldCount, availableCount: stockCount - heldCount };
  });
}

/** Of variants what is available, and of products the sum of the counts; where the stock location is not deleted. */
export function shownSums(state: State): Record<string, number> {
  const locations = shown(state.named.location);
  const open = shownCounts(state).filter(({ stockLocationId }) => byId(locations, stockLocationId));
  const sum = (member: 'stockCount' | 'availableCount', ids: readonly string[]) =>
    sumOf(open.filter(({ variantId }) => ids.includes(variantId)).map((one) => one[member]));
  return Object.fromEntries(
    state.products.flatMap(({ id, variants }) => {
      const ids = shown(variants).map((one) => one.id);
      return [[id, sum('stockCount', ids)], ...ids.map((one) => [one, sum('availableCount', [one])])] as [
        string,
        number,
      ][];
    }),
  );
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

export function placeOf({ productId, variantId, stockLocationId }: Place): string {
  return `${productId} ${variantId} ${stockLocationId}`;
}

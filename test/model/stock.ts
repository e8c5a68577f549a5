import { hasTwins } from './product.ts';
import { byId, type Movement, type Place, refusedWith, type State, type StockCount, type Verdict } from './state.ts';

/** Of a count that a request sets or adds to. The commit of a hold may pass it. */
export const MAX_COUNT = 1e12;

/** An entry of adjustStock, or a side of one of moveStock. Both sides of a move have its key. */
export type Delta = Place & {
  key: string;
  content: string;
  path: (string | number)[];
  delta: number;
  kind: string;
  reference: string | null;
  expectedCount: number | null;
  allowNegative: boolean | null;
};

export function saveStocks(state: State, entries: readonly (Place & { stockCount: number })[]): Verdict {
  return (
    refusedWith(
      hasTwins(entries.map(placeOf)) && 'ARGUMENT_VALIDATION_ERROR',
      entries.some((entry) => !isKnown(state, entry)) && 'NOT_FOUND',
    ) ?? {
      settle: () => entries.reduce((after, { stockCount, ...place }) => withCount(after, place, stockCount), state),
    }
  );
}

/** An absolute count is a movement of what it differs. */
export function withCount(state: State, place: Place, stockCount: number): State {
  const delta = stockCount - countAt(state, place);
  const stored = state.stocks.find((one) => placeOf(one) === placeOf(place));
  if (stored && delta === 0) return { ...state, stocks: withRow(state, { ...stored, deleted: false }) };
  return withMovement(state, place, { kind: 'COUNTED', delta, key: null, reference: null });
}

/** `isInvalid`: whether the request breaks a rule of its input, such as a repeated key. */
export function addDeltas(state: State, deltas: readonly Delta[], isInvalid: boolean): Verdict {
  const open = deltas.filter(({ key }) => !state.stockKeys[key]);
  const problems = refusedDeltas(state, open);
  const refused = refusedWith(
    isInvalid && 'ARGUMENT_VALIDATION_ERROR',
    deltas.some((entry) => !isKnown(state, entry)) && 'NOT_FOUND',
    hasWrongKey(state, deltas) && 'CONFLICT',
    problems.some(({ isOutside }) => isOutside) && 'ARGUMENT_VALIDATION_ERROR',
    problems.length > 0 && 'CONFLICT',
  );
  if (refused) return { ...refused, refused: problems.map(({ shown }) => shown) };
  const keys = [...new Set(deltas.map(({ key }) => key))];
  return {
    settle: () =>
      open.reduce(
        (after, { key, content, kind, delta, reference, ...place }) =>
          withMovement(withKey(after, key, content), place, { kind, delta, key, reference }),
        state,
      ),
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
    for (const { delta, kind, key, reference, ...place } of entry)
      after = withMovement(after, place, { kind, delta, key, reference });
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

function mayBeNegative(state: State, { productId, variantId, stockLocationId }: Place): boolean {
  const variant = byId(byId(state.products, productId)?.variants ?? [], variantId);
  return (
    variant?.sellIfOutOfStock === true || byId(state.named.location, stockLocationId)?.allowsNegativeStock === true
  );
}

/** Whether a key is used for another entry, or its record is gone. */
export function hasWrongKey({ stockKeys }: State, entries: readonly { key: string; content: string }[]): boolean {
  const used = entries.map(({ key, content }) => ({ content, stored: stockKeys[key] }));
  return used.some(({ content, stored }) => stored && (stored.isGone || stored.content !== content));
}

export function withKey(state: State, key: string, content: string): State {
  return { ...state, stockKeys: { ...state.stockKeys, [key]: { content, isGone: false } } };
}

export function withMovement(
  state: State,
  { productId, variantId, stockLocationId }: Place,
  movement: Movement,
): State {
  const place = { productId, variantId, stockLocationId };
  const stored = state.stocks.find((one) => placeOf(one) === placeOf(place));
  const movements = [...(stored?.movements ?? []), movement];
  const openedAt = stored?.openedAt ?? state.moments.length;
  return { ...state, stocks: withRow(state, { ...place, movements, deleted: false, openedAt }) };
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
  const product = byId(state.products, place.productId);
  const variant = product && byId(product.variants, place.variantId);
  const location = byId(state.named.location, place.stockLocationId);
  if (!product || !variant || !location) return false;
  const isStored = state.stocks.some((one) => placeOf(one) === placeOf(place));
  return isStored || !(product.deleted || variant.deleted || location.deleted);
}

function movementsAt(state: State, place: Place): readonly Movement[] {
  return state.stocks.find((one) => placeOf(one) === placeOf(place))?.movements ?? [];
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
  return state.stocks
    .filter(({ deleted }) => !deleted)
    .map(({ productId, variantId, stockLocationId }) => {
      const place = { productId, variantId, stockLocationId };
      const [stockCount, heldCount] = [countAt(state, place), heldAt(state, place)];
      return { ...place, stockCount, heldCount, availableCount: stockCount - heldCount };
    });
}

/** Of variants what is available, and of products the sum of the counts; where the stock location is not deleted. */
export function shownSums(state: State): Record<string, number> {
  const open = shownCounts(state).filter(
    ({ stockLocationId }) => !byId(state.named.location, stockLocationId)!.deleted,
  );
  return Object.fromEntries(
    state.products.flatMap(({ id, variants }) => {
      const ids = variants.filter(({ deleted }) => !deleted).map((variant) => variant.id);
      const total = open.filter(({ variantId }) => ids.includes(variantId)).map(({ stockCount }) => stockCount);
      const available = (variantId: string) => open.filter((one) => one.variantId === variantId);
      return [
        [id, sumOf(total)] as const,
        ...ids.map((one) => [one, sumOf(available(one).map(({ availableCount }) => availableCount))] as const),
      ];
    }),
  );
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

export function placeOf({ productId, variantId, stockLocationId }: Place): string {
  return `${productId} ${variantId} ${stockLocationId}`;
}

import type { StoredPrice } from '../../../drizzle/product-values.ts';
import { isSame } from '../../db/write/unchanged.ts';

type Price = Partial<StoredPrice>;

/** A member that has changed since. Values are those of changes; null where there is none. */
export type Conflict = { path: string; expected: unknown; found: unknown };

/** The values of a list of prices by their paths, such as `base.sellPrice`. */
export function priceMembers(prices: unknown): Map<string, unknown> {
  const values = pricesOf(prices).flatMap((price) =>
    Object.entries(price)
      // A member with a dot, which only plain SQL can store, would end the path at another place.
      .filter(([member, value]) => member !== 'priceListId' && value !== null && !member.includes('.'))
      .map(([member, value]) => [`${keyOf(price)}.${member}`, value] as const),
  );
  return new Map(values);
}

/** The paths of the prices that a change changed. */
export function changedPrices(before: unknown, after: unknown): string[] {
  const [former, later] = [priceMembers(before), priceMembers(after)];
  return [...new Set([...former.keys(), ...later.keys()])].filter((path) => !isSame(former.get(path), later.get(path)));
}

/** Takes back what a change did to prices of a variant that have changed since: to those of the paths, each by itself. */
export function takeBackPrices(
  found: unknown,
  before: unknown,
  after: unknown,
  paths: readonly string[],
): { prices: Price[] | null; conflicts: Conflict[] } {
  const [present, former, later] = [priceMembers(found), priceMembers(before), priceMembers(after)];
  const conflicts: Conflict[] = [];
  const values = new Map(present);
  for (const path of paths) {
    const [value, expected, own] = [former, later, present].map((side) => side.get(path) ?? null);
    if (isSame(own, value)) continue;
    if (isSame(own, expected)) values.set(path, value);
    else conflicts.push({ path, expected, found: own });
  }
  conflicts.push(...valuesOfRemovedPrices(present, values));
  return { prices: pricesWith(values, pricesOf(before), pricesOf(found)), conflicts };
}

/** The values that a price got since, and would lose because its `sellPrice` is taken back. */
function valuesOfRemovedPrices(
  present: ReadonlyMap<string, unknown>,
  values: ReadonlyMap<string, unknown>,
): Conflict[] {
  return [...values].flatMap(([path, found]) => {
    const sellPrice = path.replace(/[^.]*$/, 'sellPrice');
    const isRemoved = present.has(sellPrice) && values.get(sellPrice) === null;
    return isRemoved && found !== null ? [{ path, expected: null, found }] : [];
  });
}

/**
 * The prices that have values, in the order of the lists. Without a `sellPrice` there is no price: one that was removed
 * since gets no discount back. Plain SQL can store such an entry; it is kept.
 */
function pricesWith(values: ReadonlyMap<string, unknown>, before: Price[], found: Price[]): Price[] | null {
  const prices = new Map<string, Price>();
  for (const price of [...before, ...found]) prices.set(keyOf(price), empty(price));
  const unpriced = new Set(found.filter(({ sellPrice }) => (sellPrice ?? null) === null).map(keyOf));
  const filled = new Set<string>();
  for (const [path, value] of values) {
    const end = path.lastIndexOf('.');
    const [key, member] = [path.slice(0, end), path.slice(end + 1)];
    Object.assign(prices.get(key)!, { [member]: value });
    if (value !== null) filled.add(key);
  }
  const isKept = (key: string, { sellPrice }: Price): boolean =>
    filled.has(key) && ((sellPrice ?? null) !== null || unpriced.has(key));
  const kept = [...prices].flatMap(([key, price]) => (isKept(key, price) ? [price] : []));
  return kept.length > 0 ? kept : null;
}

function empty(price: Price): Price {
  return {
    ...(Object.fromEntries(Object.keys(price).map((member) => [member, null])) as Price),
    priceListId: price.priceListId ?? null,
  };
}

function keyOf({ priceListId }: Price): string {
  return String(priceListId ?? 'base');
}

function pricesOf(prices: unknown): Price[] {
  return Array.isArray(prices) ? prices.filter((price) => typeof price === 'object' && price !== null) : [];
}

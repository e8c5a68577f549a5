import { isDynamicType } from '../../price-list/dynamic-list.ts';

/** `ruleList`: whether it has rules that compute prices. */
export type ListState = { type: string | null; deleted: boolean; ruleList: boolean };

/**
 * A change of a price list that changes what its rows mean, or computes other prices. `before`: the former values of the
 * members that it changed. `present`: all values now.
 */
export type StoredListChange = {
  readonly listId: string;
  readonly atMs: number;
  readonly what: 'currency' | 'rules' | 'deleted';
  readonly before: Partial<ListState>;
  readonly present: ListState;
};

type Time = { readonly atMs: number };
/** A period in which the list computed its prices, until `atMs`. */
type Computed = Time & { readonly fromMs: number };

/** The changes of a price list that give its rows another meaning, the first one first. Times are in milliseconds. */
export type ListHistory = {
  /** Since when the list has its currency; null if it never had another one. */
  readonly currencySinceMs: number | null;
  readonly rules: readonly Time[];
  readonly computed: readonly Computed[];
};

export const UNCHANGED_LIST: ListHistory = { currencySinceMs: null, rules: [], computed: [] };

/** The history of one list, of its changes with the last one first. */
export function listHistory(changes: readonly StoredListChange[]): ListHistory {
  let state = changes[0]?.present;
  const computed: Computed[] = [];
  for (const [index, { atMs, before }] of changes.entries()) {
    state = { ...state!, ...before };
    if (isComputed(state)) computed.push({ atMs, fromMs: changes[index + 1]?.atMs ?? -Infinity });
  }
  return {
    currencySinceMs: changes.find(({ what }) => what === 'currency')?.atMs ?? null,
    rules: changes.filter(({ what }) => what === 'rules').toReversed(),
    computed: computed.reverse(),
  };
}

function isComputed({ type, deleted, ruleList }: ListState): boolean {
  return isDynamicType(type) && !deleted && ruleList;
}

export function hasNewRules({ rules }: ListHistory, fromMs: number, untilMs: number): boolean {
  const first = firstAfter(rules, fromMs);
  return first !== undefined && first.atMs <= untilMs;
}

/** Whether the list computed its prices at some time of the period. For lists that do not compute them now. */
export function isComputedIn({ computed }: ListHistory, fromMs: number, untilMs: number): boolean {
  const first = firstAfter(computed, fromMs);
  return first !== undefined && first.fromMs < untilMs;
}

type OfPrice = { readonly list: ListHistory; readonly inheritedCurrency: string | null };

/** Whether prices with these currencies of their own, or null, have had several currencies since a time. */
export function hasNewCurrency(
  { list, inheritedCurrency }: OfPrice,
  own: readonly (string | null)[],
  fromMs: number,
): boolean {
  // Of a merchant only the last change of its currency is known.
  if (own.includes(null) && (list.currencySinceMs ?? -Infinity) > fromMs) return true;
  return new Set(own.map((currency) => currency ?? inheritedCurrency)).size > 1;
}

/** A binary search: a list can have 20,000 changes, and it is done for each of thousands of prices. */
function firstAfter<Entry extends Time>(entries: readonly Entry[], ms: number): Entry | undefined {
  let [start, end] = [0, entries.length];
  while (start < end) {
    const middle = (start + end) >> 1;
    if (entries[middle]!.atMs > ms) end = middle;
    else start = middle + 1;
  }
  return entries[start];
}

import type { StoredPrice } from '../../../drizzle/product-values.ts';
import type { LowestPrice, LowestPriceGapEnum } from '../../graphql/generated/types.ts';
import { hasNewCurrency, hasNewRules, isComputedIn, type ListHistory } from './list-history.ts';

const DAY_MS = 86_400_000;
/** The period that the directive asks for at least. */
export const DEFAULT_DAYS = 30;

export type HistoricPrice = Pick<StoredPrice, 'sellPrice' | 'discountPrice' | 'currency'>;

/** What a change did to a price: the price before it. `isCreated`: the variant did not exist before. */
export type PriceChange = {
  /** Null for a change of the transaction that reads it. */
  readonly id: string | null;
  readonly atMs: number;
  readonly before: HistoricPrice | null;
  readonly isCreated: boolean;
  /** The values of the change are not kept, so that nothing before it is known. */
  readonly isTruncated: boolean;
};

/** A price of a variant in one price list, with its changes, the last one first. Times are in milliseconds. */
export type PriceHistory = {
  readonly present: HistoricPrice | null;
  readonly changes: readonly PriceChange[];
  readonly list: ListHistory;
  /** The present currency of its list, or of the merchant: that of a price without a currency of its own. */
  readonly inheritedCurrency: string | null;
  /** Since when changes are kept; null without a history. */
  readonly sinceMs: number | null;
};

/** A price, and when it was in force. `fromMs` is null if the beginning is not known, `untilMs` if it still is. */
type State = {
  readonly price: HistoricPrice | null;
  readonly fromMs: number | null;
  readonly fromId: string | null;
  readonly untilMs: number | null;
  readonly untilId: string | null;
};

/** Before `sinceMs` nothing is known. -Infinity if everything is. */
type Past = { readonly states: readonly State[]; readonly sinceMs: number; readonly gap: LowestPriceGapEnum };

export type Period = { readonly days: number; readonly beforeMs: number | null };

/**
 * The lowest price in force in the days before a time, or before the reduction now in force began: null if there is none.
 * Directive 98/6/EC, article 6a: the price before the reduction is the lowest one of a period before it was applied. So
 * the reduced price itself does not count, and a price that was set earlier and was still in force does.
 */
export function lowestPrice(history: PriceHistory, { days, beforeMs }: Period): LowestPrice | null {
  const past = pastOf(history);
  const reduction = beforeMs === null ? beginningOfReduction(past) : { atMs: beforeMs };
  if (reduction === null) return null;
  if ('gap' in reduction) return gap(reduction.gap);
  const untilMs = reduction.atMs;
  const fromMs = untilMs - days * DAY_MS;
  const states = past.states.filter(
    (state) => state.price && (state.fromMs ?? -Infinity) < untilMs && (state.untilMs ?? Infinity) > fromMs,
  );
  const { list } = history;
  if (hasNewRules(list, fromMs, untilMs) || isComputedIn(list, fromMs, untilMs)) return gap('COMPUTED_PRICES');
  if (past.sinceMs > fromMs) return gap(past.gap);
  const prices = [...states.map(({ price }) => price), ...(beforeMs === null ? [history.present] : [])];
  const own = prices.map((price) => price?.currency ?? null);
  if (hasNewCurrency(history, own, fromMs)) return gap('CURRENCY_CHANGED');
  const lowest = states.reduce<State | undefined>(
    (least, state) => (!least || amountOf(state.price!) < amountOf(least.price!) ? state : least),
    undefined,
  );
  return lowest ? found(lowest, history) : gap('NO_PRICE');
}

function found({ price, fromMs, fromId, untilMs, untilId }: State, { inheritedCurrency }: PriceHistory): LowestPrice {
  return {
    sellPrice: amountOf(price!),
    currency: price!.currency ?? inheritedCurrency,
    inForceFrom: fromMs,
    inForceUntil: untilMs,
    reason: null,
    changeIds: [fromId, untilId].filter((id) => id !== null),
  };
}

export function gap(reason: LowestPriceGapEnum): LowestPrice {
  return { sellPrice: null, currency: null, inForceFrom: null, inForceUntil: null, reason, changeIds: [] };
}

/** The states of the price, the present one first. Changes that do not change what is in force divide nothing. */
function pastOf({ present, changes, sinceMs }: PriceHistory): Past {
  const states: State[] = [];
  let price = present;
  let until: Pick<State, 'untilMs' | 'untilId'> = { untilMs: null, untilId: null };
  for (const { id, atMs, before, isCreated, isTruncated } of changes) {
    const former = isCreated ? null : before;
    if (!isTruncated && !isCreated && isSameState(price, former)) continue;
    states.push({ price, fromMs: atMs, fromId: id, ...until });
    if (isTruncated) return { states, sinceMs: atMs, gap: 'VALUES_NOT_KEPT' };
    price = former;
    until = { untilMs: atMs, untilId: id };
  }
  states.push({ price, fromMs: null, fromId: null, ...until });
  // A variant that plain SQL removed and inserted again has changes before its last creation.
  const isWhole = changes.at(-1)?.isCreated ?? false;
  return { states, sinceMs: isWhole ? -Infinity : (sinceMs ?? Infinity), gap: 'HISTORY_TOO_SHORT' };
}

export function isSameState(one: HistoricPrice | null, other: HistoricPrice | null): boolean {
  if (!one || !other) return one === other;
  return (
    amountOf(one) === amountOf(other) &&
    isReduced(one) === isReduced(other) &&
    (one.currency ?? null) === (other.currency ?? null)
  );
}

/** When the reduction now in force began: several reductions without a pause are one. Null if there is none. */
function beginningOfReduction({ states, gap: reason }: Past): { atMs: number } | { gap: LowestPriceGapEnum } | null {
  if (!isReduced(states[0]!.price)) return null;
  const end = states.findIndex(({ price }) => !isReduced(price));
  const first = states.at(end === -1 ? -1 : end - 1)!;
  return first.fromMs === null ? { gap: reason } : { atMs: first.fromMs };
}

export function isReduced(price: HistoricPrice | null): boolean {
  return price?.discountPrice != null && price.discountPrice < price.sellPrice;
}

/** The price that shoppers pay. */
function amountOf({ sellPrice, discountPrice }: HistoricPrice): number {
  return discountPrice ?? sellPrice;
}

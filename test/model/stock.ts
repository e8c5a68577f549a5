import { byId, refusedWith, type State, type StockCount, type Verdict } from './state.ts';

export function saveStocks(state: State, entries: readonly StockCount[]): Verdict {
  const isTwice = entries.some((one, index) => entries.slice(0, index).some((other) => isSamePlace(one, other)));
  return (
    refusedWith(
      isTwice && 'ARGUMENT_VALIDATION_ERROR',
      entries.some((entry) => !isKnown(state, entry)) && 'NOT_FOUND',
    ) ?? {
      settle: () => ({
        ...state,
        stocks: [...state.stocks.filter((one) => !entries.some((entry) => isSamePlace(one, entry))), ...entries],
      }),
    }
  );
}

/** A deleted product, variant or stock location counts as unknown, unless the row exists already. */
function isKnown(state: State, entry: StockCount): boolean {
  const product = byId(state.products, entry.productId);
  const variant = product && byId(product.variants, entry.variantId);
  const location = byId(state.named.location, entry.stockLocationId);
  if (!product || !variant || !location) return false;
  const isStored = state.stocks.some((one) => isSamePlace(one, entry));
  return isStored || !(product.deleted || variant.deleted || location.deleted);
}

function isSamePlace(one: StockCount, other: StockCount): boolean {
  return one.variantId === other.variantId && one.stockLocationId === other.stockLocationId;
}

import { byId, type Price, type State, type Variant } from './state.ts';

/** Of each new merchant. */
const MERCHANT_CURRENCY = 'USD';

/** Without a currency that its price list or merchant gives, unless the stored price has it of its own. */
export function storedPrice(state: State, stored: Price | undefined, price: Price): Price {
  const isInherited = price.currency === inheritedCurrency(state, price) && price.currency !== stored?.currency;
  return isInherited ? { ...price, currency: null } : price;
}

/** The variant with the currency of each price filled in, as `listProduct` returns it. */
export function withShownPrices(state: State, variant: Variant): Variant {
  const currencyOf = (price: Price) => price.currency ?? inheritedCurrency(state, price);
  return { ...variant, prices: variant.prices.map((price) => ({ ...price, currency: currencyOf(price) })) };
}

function inheritedCurrency({ named }: State, { priceListId }: Price): string {
  return priceListId === null ? MERCHANT_CURRENCY : byId(named.priceList, priceListId)!.currency!;
}

export function withPrices(stored: readonly Price[], rows: readonly Price[]): Price[] {
  return [...stored.filter((one) => !rows.some((row) => row.priceListId === one.priceListId)), ...rows];
}

import { storedPrice, withPrices } from './prices.ts';
import { hasTwins, priceOf, withProduct } from './product.ts';
import { byId, type Price, shown, type State, unknownIn, unless, variantAt, type Verdict } from './state.ts';

export type PriceRow = { productId: string; variantId: string; price: Omit<Price, 'priceListId'>; deleted?: boolean };

export function savePrices(state: State, priceListId: string | null, rows: readonly PriceRow[]): Verdict {
  // Prices of a deleted list can only be removed.
  const removesOnly = rows.length > 0 && rows.every(({ deleted }) => deleted);
  const lists = removesOnly ? state.named.priceList : shown(state.named.priceList);
  const isRow = (row: PriceRow) =>
    byId(state.products, row.productId)?.deleted === false && variantAt(state, row)?.deleted === false;
  const refusals = [
    unknownIn(lists, [priceListId ?? undefined]),
    !rows.every(isRow) && ('NOT_FOUND' as const),
    priceListId === null && rows.some(({ deleted }) => deleted) && ('ARGUMENT_VALIDATION_ERROR' as const),
    hasTwins(rows.map(({ variantId }) => variantId)) && ('ARGUMENT_VALIDATION_ERROR' as const),
  ];
  return unless(refusals, () =>
    state.products.reduce((after, stored) => {
      const variants = stored.variants.map((variant) => {
        const row = rows.find(({ variantId }) => variantId === variant.id);
        if (!row) return variant;
        const own = priceOf(variant, { priceListId });
        if (row.deleted) return { ...variant, prices: variant.prices.filter((price) => price !== own) };
        const price = storedPrice(state, own, { ...row.price, priceListId });
        return { ...variant, prices: withPrices(variant.prices, [price]) };
      });
      return withProduct(after, { ...stored, variants }, stored);
    }, state),
  );
}

import { hasTwins, withProduct } from './product.ts';
import { byId, type Price, refusedWith, type State, type Verdict } from './state.ts';

export type PriceRow = { productId: string; variantId: string; price: Omit<Price, 'priceListId'>; deleted?: boolean };

export function savePrices(state: State, priceListId: string | null, rows: readonly PriceRow[]): Verdict {
  const needsList = rows.length === 0 || rows.some(({ deleted }) => !deleted);
  const list = priceListId === null ? undefined : byId(state.named.priceList, priceListId);
  const isListUnknown = priceListId !== null && (!list || (list.deleted && needsList));
  const isUnknown = ({ productId, variantId }: PriceRow) => {
    const product = byId(state.products, productId);
    const variant = product && byId(product.variants, variantId);
    return !product || product.deleted || !variant || variant.deleted;
  };
  const refused = refusedWith(
    isListUnknown && 'NOT_FOUND',
    rows.some(isUnknown) && 'NOT_FOUND',
    priceListId === null && rows.some(({ deleted }) => deleted) && 'ARGUMENT_VALIDATION_ERROR',
    hasTwins(rows.map(({ variantId }) => variantId)) && 'ARGUMENT_VALIDATION_ERROR',
  );
  if (refused) return refused;
  return {
    settle: () =>
      state.products.reduce((after, stored) => {
        const own = rows.filter(({ productId }) => productId === stored.id);
        const variants = stored.variants.map((variant) => {
          const row = own.find(({ variantId }) => variantId === variant.id);
          if (!row) return variant;
          const others = variant.prices.filter((price) => price.priceListId !== priceListId);
          return { ...variant, prices: row.deleted ? others : [...others, { ...row.price, priceListId }] };
        });
        return withProduct(after, { ...stored, variants }, stored);
      }, state),
  };
}

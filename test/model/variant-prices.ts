import { storedPrice, withPrices } from './prices.ts';
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
        const sent = rows.filter(({ productId }) => productId === stored.id);
        const variants = stored.variants.map((variant) => {
          const row = sent.find(({ variantId }) => variantId === variant.id);
          if (!row) return variant;
          const own = variant.prices.find((price) => price.priceListId === priceListId);
          if (row.deleted) return { ...variant, prices: variant.prices.filter((price) => price !== own) };
          const price = storedPrice(state, own, { ...row.price, priceListId });
          return { ...variant, prices: withPrices(variant.prices, [price]) };
        });
        return withProduct(after, { ...stored, variants }, stored);
      }, state),
  };
}

import type { StoredPrice } from '../../../drizzle/product-values.ts';
import { withoutUndefined } from '../../field-input.ts';
import { productPriceInput, type ProductPriceInput } from '../generated/product-input.ts';
import { everyMember } from './stored-members.ts';

export const storedPrice = everyMember<ProductPriceInput>(productPriceInput);

/**
 * The stored prices with the sent ones: a sent price replaces the stored price of the same price list. The base price
 * is first, the others are ordered by price list.
 */
export function mergePrices(stored: readonly StoredPrice[], sent: readonly ProductPriceInput[]): StoredPrice[] {
  const merged = [...stored];
  let isSorted = true;
  for (const price of sent.map(storedPrice)) {
    const index = merged.findIndex(({ priceListId }) => priceListId === price.priceListId);
    isSorted &&= index !== -1 || merged.length === 0;
    merged.splice(index === -1 ? merged.length : index, 1, price);
  }
  return isSorted ? merged : merged.sort(byPriceList);
}

/** The price with the stored values of the members that it leaves out. */
export function withStoredMembers<Price extends { priceListId?: string | null }>(
  price: Price,
  stored: readonly StoredPrice[] | null | undefined,
): Price {
  const row = stored?.find(({ priceListId }) => priceListId === (price.priceListId ?? null));
  return { ...row, ...withoutUndefined(price) } as Price;
}

/** The base price first, the others by price list. */
export function byPriceList(a: StoredPrice, b: StoredPrice): number {
  if (a.priceListId === b.priceListId) return 0;
  return (a.priceListId ?? '') < (b.priceListId ?? '') ? -1 : 1;
}

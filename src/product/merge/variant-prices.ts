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
  const places = new Map(merged.map(({ priceListId }, place) => [priceListId, place] as const).reverse());
  let isSorted = true;
  for (const price of sent.map(storedPrice)) {
    const place = places.get(price.priceListId) ?? merged.length;
    isSorted &&= place < merged.length || merged.length === 0;
    places.set(price.priceListId, place);
    merged[place] = price;
  }
  return isSorted ? merged : merged.sort(byPriceList);
}

/** The prices with the stored values of the members that they leave out. */
export function withStoredMembers<Price extends { priceListId?: string | null }>(
  prices: readonly Price[],
  stored: readonly StoredPrice[] | null | undefined,
): Price[] {
  const rows = rowsByPriceList(stored);
  return prices.map((price) => ({ ...rows.get(price.priceListId ?? null), ...withoutUndefined(price) }) as Price);
}

/** The first row of each price list: plain SQL can have stored several. */
export function rowsByPriceList(
  stored: readonly StoredPrice[] | null | undefined,
): ReadonlyMap<string | null, StoredPrice> {
  return new Map((stored ?? []).map((row) => [row.priceListId, row] as const).reverse());
}

/** The base price first, the others by price list. */
export function byPriceList(a: StoredPrice, b: StoredPrice): number {
  if (a.priceListId === b.priceListId) return 0;
  return (a.priceListId ?? '') < (b.priceListId ?? '') ? -1 : 1;
}

import type { StoredPrice } from '../../drizzle/product.ts';
import type { VariantInput } from './product-input.ts';

type PriceInput = VariantInput['prices'][number];

/** The prices of a variant with those that were sent in the places of those of the same price lists: the base price first, then by price list. */
export function mergePrices(stored: readonly StoredPrice[], sent: readonly PriceInput[]): StoredPrice[] {
  const byList = new Map([...stored, ...sent.map(storedPrice)].map((price) => [price.priceListId, price]));
  return [...byList.values()].sort(byPriceList);
}

export function withoutPrice(stored: readonly StoredPrice[], priceListId: string): StoredPrice[] {
  return stored.filter((price) => price.priceListId !== priceListId);
}

function storedPrice({ sellPrice, buyPrice = null, discountPrice = null, currency = null, priceListId = null }: PriceInput): StoredPrice {
  return { sellPrice, buyPrice, discountPrice, currency, priceListId };
}

function byPriceList(a: StoredPrice, b: StoredPrice): number {
  if (a.priceListId === b.priceListId) return 0;
  return (a.priceListId ?? '') < (b.priceListId ?? '') ? -1 : 1;
}

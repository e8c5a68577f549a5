import type { Members } from './history.ts';

type Variant = { id: string; sku: string | null; prices: { sellPrice: number; priceListId: string | null }[] };
type Product = { name: string; vendorId: string | null; variants: Variant[] };
type Customer = { firstName: string; lastName: string | null };
type StockCount = { stockCount: number };

/** The members of a record that the clients write, as answers and events have them. */
export function membersOf(record: object): Members {
  if ('variants' in record) return productMembers(record as Product);
  if ('firstName' in record) {
    const { firstName, lastName } = record as Customer;
    return texts({ firstName, lastName });
  }
  return texts({ stockCount: (record as StockCount).stockCount });
}

function productMembers({ name, vendorId, variants }: Product): Members {
  const parts = variants.flatMap(({ id, sku, prices }) => [
    [`sku of ${id}`, sku] as const,
    ...prices.map(({ sellPrice, priceListId }) => [priceOf(id, priceListId), sellPrice] as const),
  ]);
  return texts({ name, vendorId, ...Object.fromEntries(parts) });
}

export function priceOf(variantId: string, priceListId: string | null): string {
  return `price of ${variantId} in ${priceListId ?? 'no list'}`;
}

export function texts(members: Record<string, unknown>): Members {
  return Object.fromEntries(Object.entries(members).map(([member, value]) => [member, JSON.stringify(value ?? null)]));
}

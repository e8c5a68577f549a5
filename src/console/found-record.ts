/** Kinds of records as webhook scopes name them. */
export type RecordKind = 'product' | 'customer' | 'stock';

type Stored = { id: string; createdAt: number; updatedAt: number; deleted: boolean };
type Product = Stored & { name: string; version: number };
type Customer = Stored & { firstName: string | null; lastName: string | null };
type Stock = Stored & { productId: string; stockCount: number };

type Page<Row> = { data: Row[] };
export type Found = {
  delivery: Page<{ id: string; recordId: string }>;
  product: Page<Product>;
  bySku: Page<Product>;
  customer: Page<Customer>;
  stock: Page<Stock>;
};

export type FoundRecord = Stored & { kind: RecordKind; title: string };

/** The record that a search has found; null if it found none. */
export function recordOf(found: Found | null): FoundRecord | null {
  const product = found?.product.data[0] ?? found?.bySku.data[0];
  if (product) return { ...product, kind: 'product', title: `${product.name}, version ${product.version}` };
  const customer = found?.customer.data[0];
  if (customer) {
    const title = [customer.firstName, customer.lastName].filter(Boolean).join(' ');
    return { ...customer, kind: 'customer', title };
  }
  const stock = found?.stock.data[0];
  return stock ? { ...stock, kind: 'stock', title: `${stock.stockCount} in stock` } : null;
}

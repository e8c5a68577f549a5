/** Kinds of records as webhook scopes name them. */
export type RecordKind = 'product' | 'customer' | 'stock';

type Stored = { id: string; createdAt: number; updatedAt: number; deleted: boolean };
type Product = Stored & { name: string; version: number };
type Customer = Stored & { firstName: string | null; lastName: string | null };
/** Which count a stock record is. */
type Place = { productId: string; variantId: string; stockLocationId: string };
type Stock = Stored & Place & { stockCount: number };

type Page<Row> = { data: Row[] };
export type Found = {
  delivery: Page<{ id: string; recordId: string }>;
  product: Page<Product>;
  bySku: Page<Product>;
  bySlug: Page<Product>;
  byName: Page<Product>;
  customer: Page<Customer>;
  customerByName: Page<Customer>;
  stock: Page<Stock>;
};

export type FoundRecord = Stored & { kind: RecordKind; title: string; place?: Place };

/**
 * The records that a search has found: those with the text as their id, sku or slug, or else those that contain it.
 */
export function recordsOf(found: Found | null): FoundRecord[] {
  if (!found) return [];
  const exact = [...found.product.data, ...found.bySku.data, ...found.bySlug.data];
  const products = exact.length > 0 ? exact : found.byName.data;
  const customers = found.customer.data.length > 0 ? found.customer.data : found.customerByName.data;
  const isCustomer = exact.length === 0 || found.customer.data.length > 0;
  const records = [
    ...products.map(productRecord),
    ...(isCustomer ? customers.map(customerRecord) : []),
    ...found.stock.data.map(stockRecord),
  ];
  return [...new Map(records.map((record) => [record.id, record])).values()];
}

function productRecord(product: Product): FoundRecord {
  return { ...product, kind: 'product', title: `${product.name}, version ${product.version}` };
}

function customerRecord(customer: Customer): FoundRecord {
  const title = [customer.firstName, customer.lastName].filter(Boolean).join(' ');
  return { ...customer, kind: 'customer', title };
}

function stockRecord(stock: Stock): FoundRecord {
  return { ...stock, kind: 'stock', title: `${stock.stockCount} in stock`, place: stock };
}

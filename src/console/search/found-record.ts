/** Kinds of records as webhook scopes name them. */
export type RecordKind = 'product' | 'customer' | 'stock';

type Stored = { id: string; createdAt: number; updatedAt: number; deleted: boolean };
type Product = Stored & { name: string; version: number };
type Customer = Stored & { firstName: string | null; lastName: string | null };
/** Which count a stock record is. */
type Place = { productId: string; variantId: string; stockLocationId: string };
type Stock = Stored & Place & { stockCount: number };

/** `hasNext` is read where there can be more than one. */
type Page<Row> = { data: Row[]; hasNext?: boolean };
export type Found = {
  delivery: Page<FoundDelivery>;
  product: Page<Product>;
  bySku: Page<Product>;
  bySlug: Page<Product>;
  byName: Page<Product>;
  customer: Page<Customer>;
  customerByName: Page<Customer>;
  stock: Page<Stock>;
};

export const NOTHING: Found = {
  delivery: { data: [] },
  product: { data: [] },
  bySku: { data: [] },
  bySlug: { data: [] },
  byName: { data: [] },
  customer: { data: [] },
  customerByName: { data: [] },
  stock: { data: [] },
};

export type FoundDelivery = { id: string; recordId: string; scope: string };

export type FoundRecord = Stored & { kind: RecordKind; title: string; place?: Place };

/**
 * The records that a search has found: those with the text as their id, sku or slug, or else those that contain it.
 * `hasMore`: there are more than the search has read.
 */
export function recordsOf(found: Found | null): { records: FoundRecord[]; hasMore: boolean } {
  if (!found) return { records: [], hasMore: false };
  const exact = [found.product, found.bySku, found.bySlug];
  const isExact = exact.some(isFilled);
  const products = isExact ? exact : [found.byName];
  const customers = isFilled(found.customer) ? [found.customer] : isExact ? [] : [found.customerByName];
  const records = [
    ...products.flatMap(({ data }) => data.map(productRecord)),
    ...customers.flatMap(({ data }) => data.map(customerRecord)),
    ...found.stock.data.map(stockRecord),
  ];
  return {
    records: [...new Map(records.map((record) => [record.id, record])).values()],
    hasMore: [...products, ...customers].some(({ hasNext }) => hasNext === true),
  };
}

function isFilled({ data }: Page<unknown>): boolean {
  return data.length > 0;
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

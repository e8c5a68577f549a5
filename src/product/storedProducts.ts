import { productPrice } from '../../drizzle/product-price.ts';
import { productSalesChannel } from '../../drizzle/product-relation.ts';
import { product, variant } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import { rowsOf, type StoredRow } from '../db/rows.ts';
import { type Step, together } from '../db/together.ts';

export type ProductRow = StoredRow<typeof product>;
export type VariantRow = StoredRow<typeof variant>;
export type PriceRow = StoredRow<typeof productPrice>;
export type SalesChannelRow = StoredRow<typeof productSalesChannel>;

/** What a save has to know of a product that exists, to keep what is left out. */
export type StoredProduct = {
  row: ProductRow;
  variants: Map<string, VariantRow>;
  /** By variant. */
  prices: ReadonlyMap<string, PriceRow[]>;
  salesChannels: SalesChannelRow[];
};

/** The products, held until the transaction ends so that two saves of one happen one after the other. Unknown ids are left out. */
export async function storedProducts(ctx: Context, ids: readonly string[]): Promise<Map<string, StoredProduct>> {
  const stored = new Map<string, StoredProduct>();
  if (ids.length === 0) return stored;
  // Of a variant of any of the products: it belongs to one only. A product that came after the first statement is not among them.
  const prices = new Map<string, PriceRow[]>();
  await together(ctx, [
    read<ProductRow>(rowsOf(ctx, product, 'id', ids, true), (row) => stored.set(row.id, { row, variants: new Map(), prices, salesChannels: [] })),
    read<VariantRow>(rowsOf(ctx, variant, 'productId', ids), (row) => stored.get(row.productId)?.variants.set(row.id, row)),
    read<PriceRow>(rowsOf(ctx, productPrice, 'productId', ids), (row) => addTo(prices, row.variantId, row)),
    read<SalesChannelRow>(rowsOf(ctx, productSalesChannel, 'productId', ids), (row) => stored.get(row.productId)?.salesChannels.push(row)),
  ]);
  return stored;
}

function read<Row>(statement: Step['statement'], add: (row: Row) => unknown): Step {
  return { statement, read: (rows) => rows.forEach((row) => void add(row as Row)) };
}

function addTo<Row>(lists: Map<string, Row[]>, key: string, row: Row): void {
  const list = lists.get(key);
  if (list) list.push(row);
  else lists.set(key, [row]);
}

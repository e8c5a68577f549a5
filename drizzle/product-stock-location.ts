import { sql } from 'drizzle-orm';
import { index, integer, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { amount, recordColumns, recordForeignKey } from './columns.ts';
import { product, variant } from './product.ts';
import { stockLocation } from './stock.ts';
import { recordTable } from './table.ts';

/** The stock of a variant at a location. One row per variant and location. */
export const productStockLocation = recordTable(
  'product_stock_location',
  {
    productId: uuid('product_id').notNull(),
    variantId: uuid('variant_id').notNull(),
    stockLocationId: uuid('stock_location_id').notNull(),
    stockCount: amount('stock_count').notNull(),
    /**
     * The sequence of the last movement. A change of the count that leaves it alone gets a movement from a trigger. A new
     * row with 0 gets none: a function writes it and then the movements.
     */
    lastMovementNumber: integer('last_movement_number').notNull().default(1),
    ...recordColumns(),
  },
  (t) => [
    uniqueIndex('product_stock_location_place_key').on(t.merchantId, t.productId, t.variantId, t.stockLocationId),
    index('product_stock_location_variant').on(t.merchantId, t.variantId),
    index('product_stock_location_location').on(t.merchantId, t.stockLocationId, t.productId),
    // Serves products in stock, whether they are few or most.
    index('product_stock_location_in_stock')
      .on(t.merchantId, t.productId)
      .where(sql`stock_count > 0 and not deleted`),
    index('product_stock_location_created').on(t.merchantId, sql`${t.createdAt} desc`, t.id),
    index('product_stock_location_updated').on(t.merchantId, sql`${t.updatedAt} desc`),
    recordForeignKey('product_stock_location_product_fk', t, t.productId, product).onDelete('cascade'),
    recordForeignKey('product_stock_location_variant_fk', t, t.variantId, variant).onDelete('cascade'),
    recordForeignKey('product_stock_location_location_fk', t, t.stockLocationId, stockLocation),
  ],
);

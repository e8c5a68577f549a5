import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, primaryKey, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { amount, id, merchantId, recordColumns } from './columns.ts';
import { product, variant } from './product.ts';
import { stockLocation } from './stock.ts';
import { pgTable } from './table.ts';

/** The stock of a variant at a location. One row per variant and location. */
export const productStockLocation = pgTable(
  'product_stock_location',
  {
    merchantId: merchantId(),
    id: id(),
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
    primaryKey({ columns: [t.merchantId, t.id] }),
    uniqueIndex('product_stock_location_place_key').on(t.merchantId, t.productId, t.variantId, t.stockLocationId),
    index('product_stock_location_variant').on(t.merchantId, t.variantId),
    index('product_stock_location_location').on(t.merchantId, t.stockLocationId, t.productId),
    // Serves products in stock, whether they are few or most.
    index('product_stock_location_in_stock')
      .on(t.merchantId, t.productId)
      .where(sql`stock_count > 0 and not deleted`),
    index('product_stock_location_created').on(t.merchantId, sql`${t.createdAt} desc`, t.id),
    index('product_stock_location_updated').on(t.merchantId, sql`${t.updatedAt} desc`),
    foreignKey({
      name: 'product_stock_location_product_fk',
      columns: [t.merchantId, t.productId],
      foreignColumns: [product.merchantId, product.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'product_stock_location_variant_fk',
      columns: [t.merchantId, t.variantId],
      foreignColumns: [variant.merchantId, variant.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'product_stock_location_location_fk',
      columns: [t.merchantId, t.stockLocationId],
      foreignColumns: [stockLocation.merchantId, stockLocation.id],
    }),
  ],
);

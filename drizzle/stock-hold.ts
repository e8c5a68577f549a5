import { sql } from 'drizzle-orm';
import { index, text, uuid } from 'drizzle-orm/pg-core';
import { amount, instant } from './columns.ts';
import { stockHoldStatusEnum } from './generated/enums.ts';
import { recordTable } from './table.ts';

/**
 * Stock that is promised and still counted. A hold counts while it is ACTIVE and `expiresAt` is in the future, whatever
 * the sweep has done that marks expired ones.
 */
export const stockHold = recordTable(
  'stock_hold',
  {
    productStockLocationId: uuid('product_stock_location_id').notNull(),
    productId: uuid('product_id').notNull(),
    variantId: uuid('variant_id').notNull(),
    stockLocationId: uuid('stock_location_id').notNull(),
    quantity: amount('quantity').notNull(),
    key: text('key').notNull(),
    reference: text('reference'),
    status: text('status', { enum: stockHoldStatusEnum }).notNull().default('ACTIVE'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    // No foreign key to the count: a trigger removes the holds of a removed count.
    index('stock_hold_count').on(t.merchantId, t.productStockLocationId, t.id),
    index('stock_hold_active')
      .on(t.merchantId, t.productStockLocationId, t.expiresAt, t.quantity)
      .where(sql`status = 'ACTIVE'`),
    index('stock_hold_variant').on(t.merchantId, t.variantId, t.id),
    index('stock_hold_active_variant')
      .on(t.merchantId, t.variantId, t.expiresAt)
      .where(sql`status = 'ACTIVE'`),
    index('stock_hold_reference')
      .on(t.merchantId, t.reference, t.id)
      .where(sql`reference is not null`),
    // The merchant first: due holds of the merchants end in turn. In the order of their times, those of all others would
    // have to wait for a merchant with very many.
    index('stock_hold_expiry')
      .on(t.merchantId, t.expiresAt)
      .where(sql`status = 'ACTIVE'`),
    // The removal of old holds reads those of all merchants in the order of their times.
    index('stock_hold_ended')
      .on(t.expiresAt, t.merchantId)
      .where(sql`status <> 'ACTIVE'`),
  ],
);

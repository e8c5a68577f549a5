import { index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { amount, merchantId } from './columns.ts';

/**
 * The prices of a product in one price list, for conditions on a price and the order by price: of each variant that is
 * not deleted, the discounted price, or the price without a discount. `priceListId` of base prices is the UUID of zeros.
 * Triggers on `variant` write the rows. A table of its own, because an index on a column of `variant` would end its HOT
 * updates: each new price would then write an entry in every index of the table.
 */
export const productPrice = pgTable(
  'product_price',
  {
    merchantId: merchantId(),
    productId: uuid('product_id').notNull(),
    priceListId: uuid('price_list_id').notNull(),
    lowest: amount('lowest').notNull(),
    highest: amount('highest').notNull(),
    /** Each different price once, in ascending order. */
    prices: amount('prices').array().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.productId, t.priceListId] }),
    index('product_price_lowest').on(t.merchantId, t.priceListId, t.lowest, t.productId),
    index('product_price_highest').on(t.merchantId, t.priceListId, t.highest, t.productId),
  ],
);

import { index, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { amount, merchantId } from './columns.ts';
import { pgTable } from './table.ts';

/**
 * The prices of a product's variants in one price list. Lists and searches that filter or sort by price read this
 * table. The price of a variant is its `discountPrice`, or its `sellPrice` if it has no discount; deleted variants are
 * left out. The row of the base prices has `NO_ID` as its `priceListId`. Triggers on `variant` write the rows.
 *
 * An index on the prices in `variant` itself would be simpler. But then no update of a price could be a HOT update:
 * each would write an entry into every index of `variant`.
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

import { foreignKey, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { amount, merchantId } from './columns.ts';
import { priceList } from './price-list.ts';
import { variant } from './product.ts';

/** One row per variant and price list; the row without a list is the base price. */
export const productPrice = pgTable(
  'product_price',
  {
    merchantId: merchantId(),
    productId: uuid('product_id').notNull(),
    variantId: uuid('variant_id').notNull(),
    priceListId: uuid('price_list_id'),
    sellPrice: amount('sell_price').notNull(),
    buyPrice: amount('buy_price'),
    discountPrice: amount('discount_price'),
    /** Null: the price list's, or the merchant's for the base price. */
    currency: text('currency'),
  },
  (t) => [
    unique('product_price_list_key').on(t.merchantId, t.productId, t.variantId, t.priceListId).nullsNotDistinct(),
    foreignKey({
      name: 'product_price_variant_fk',
      columns: [t.merchantId, t.productId, t.variantId],
      foreignColumns: [variant.merchantId, variant.productId, variant.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'product_price_list_fk',
      columns: [t.merchantId, t.priceListId],
      foreignColumns: [priceList.merchantId, priceList.id],
    }),
  ],
);

import { sql } from 'drizzle-orm';
import { foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { decimal, document, id, merchantId, position, timestamps } from './columns.ts';
import { priceList } from './price-list.ts';
import { stockLocation } from './stock.ts';

export const salesChannelTypes = [
  'ADMIN', 'APP', 'B2B_STOREFRONT', 'FACEBOOK', 'GOOGLE', 'POS', 'STOREFRONT', 'STOREFRONT_APP',
] as const;

export const salesChannel = pgTable(
  'sales_channel',
  {
    merchantId: merchantId(),
    id: id(),
    name: text('name').notNull(),
    type: text('type', { enum: salesChannelTypes }).notNull(),
    priceListId: uuid('price_list_id'),
    /** Gateways live in the payment system: their ids are its own. */
    paymentGateways: document<{ id: string; order: number }[]>('payment_gateways'),
    ...timestamps(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    index('sales_channel_created').on(t.merchantId, sql`${t.createdAt} desc`, t.id),
    foreignKey({
      name: 'sales_channel_price_list_fk',
      columns: [t.merchantId, t.priceListId],
      foreignColumns: [priceList.merchantId, priceList.id],
    }),
  ],
);

export const salesChannelStockLocation = pgTable(
  'sales_channel_stock_location',
  {
    merchantId: merchantId(),
    salesChannelId: uuid('sales_channel_id').notNull(),
    stockLocationId: uuid('stock_location_id').notNull(),
    position: position(),
    order: decimal('order').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.salesChannelId, t.stockLocationId] }),
    foreignKey({
      name: 'sales_channel_stock_location_channel_fk',
      columns: [t.merchantId, t.salesChannelId],
      foreignColumns: [salesChannel.merchantId, salesChannel.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'sales_channel_stock_location_location_fk',
      columns: [t.merchantId, t.stockLocationId],
      foreignColumns: [stockLocation.merchantId, stockLocation.id],
    }),
  ],
);

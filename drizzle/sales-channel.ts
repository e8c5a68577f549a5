import { foreignKey, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { document, id, merchantId, recordColumns, sortIndexes } from './columns.ts';
import { salesChannelTypeEnum } from './generated/enums.ts';
import { priceList } from './price-list.ts';
import { pgTable } from './table.ts';

export const salesChannel = pgTable(
  'sales_channel',
  {
    merchantId: merchantId(),
    id: id(),
    name: text('name').notNull(),
    type: text('type', { enum: salesChannelTypeEnum }).notNull(),
    priceListId: uuid('price_list_id'),
    /** The list as it was sent; null if it is empty. */
    stockLocations: document<{ id: string; order: number }[]>('stock_locations'),
    /** Ids of the payment system; not checked here. */
    paymentGateways: document<{ id: string; order: number }[]>('payment_gateways'),
    ...recordColumns(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    ...sortIndexes('sales_channel', t),
    foreignKey({
      name: 'sales_channel_price_list_fk',
      columns: [t.merchantId, t.priceListId],
      foreignColumns: [priceList.merchantId, priceList.id],
    }),
  ],
);

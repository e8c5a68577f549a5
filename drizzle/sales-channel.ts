import { text, uuid } from 'drizzle-orm/pg-core';
import { document, recordColumns, recordForeignKey, sortIndexes } from './columns.ts';
import { salesChannelTypeEnum } from './generated/enums.ts';
import { priceList } from './price-list.ts';
import { recordTable } from './table.ts';

export const salesChannel = recordTable(
  'sales_channel',
  {
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
    ...sortIndexes('sales_channel', t),
    recordForeignKey('sales_channel_price_list_fk', t, t.priceListId, priceList),
  ],
);

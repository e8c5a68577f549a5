import { boolean, primaryKey, text } from 'drizzle-orm/pg-core';
import { document, id, merchantId, recordColumns, sortIndexes } from './columns.ts';
import { stockLocationDeliveryTimeEnum, stockLocationTypeEnum } from './generated/enums.ts';
import { pgTable } from './table.ts';

export const stockLocation = pgTable(
  'stock_location',
  {
    merchantId: merchantId(),
    id: id(),
    name: text('name').notNull(),
    type: text('type', { enum: stockLocationTypeEnum }),
    description: text('description'),
    address: document<Record<string, unknown>>('address'),
    outOfStockMailList: text('out_of_stock_mail_list').array(),
    isRemindOutOfStockEnabled: boolean('is_remind_out_of_stock_enabled'),
    deliveryTime: text('delivery_time', { enum: stockLocationDeliveryTimeEnum }),
    /** Whether a change by a delta may take what is available below 0. */
    allowsNegativeStock: boolean('allows_negative_stock').notNull().default(false),
    translations: document<{ locale: string; description?: string | null }[]>('translations'),
    ...recordColumns(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.id] }), ...sortIndexes('stock_location', t)],
);

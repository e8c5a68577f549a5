import { boolean, text } from 'drizzle-orm/pg-core';
import { document, recordColumns, sortIndexes } from './columns.ts';
import { stockLocationDeliveryTimeEnum, stockLocationTypeEnum } from './generated/enums.ts';
import { recordTable } from './table.ts';

export const stockLocation = recordTable(
  'stock_location',
  {
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
  (t) => sortIndexes('stock_location', t),
);

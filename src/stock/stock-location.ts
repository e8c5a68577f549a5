import { stockLocation } from '../../drizzle/stock.ts';
import { boolean, document, id, recordFields, shape, text, texts, word } from '../db/read/projection.ts';
import type { StockLocation, StockLocationAddress, StockLocationTranslation } from '../graphql/generated/types.ts';

export const stockLocationShape = shape<StockLocation>()(stockLocation, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  type: (row) => word(row.type),
  description: (row) => text(row.description),
  address: (row, read) => document<StockLocationAddress>(read, row.address),
  outOfStockMailList: (row) => texts(row.outOfStockMailList),
  isRemindOutOfStockEnabled: (row) => boolean(row.isRemindOutOfStockEnabled),
  deliveryTime: (row) => word(row.deliveryTime),
  translations: (row, read) => document<StockLocationTranslation[]>(read, row.translations),
});

import { stockLocation } from '../../drizzle/stock.ts';
import { boolean, document, id, recordFields, text, texts, enumValue } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import type { StockLocation, StockLocationAddress, StockLocationTranslation } from '../graphql/generated/types.ts';

export const stockLocationProjection = projection<StockLocation>()(stockLocation, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  type: (row) => enumValue(row.type),
  description: (row) => text(row.description),
  address: (row, scope) => document<StockLocationAddress>(scope, row.address),
  outOfStockMailList: (row) => texts(row.outOfStockMailList),
  isRemindOutOfStockEnabled: (row) => boolean(row.isRemindOutOfStockEnabled),
  deliveryTime: (row) => enumValue(row.deliveryTime),
  translations: (row, scope) => document<StockLocationTranslation[]>(scope, row.translations),
});

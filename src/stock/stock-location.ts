import { stockLocation } from '../../drizzle/stock.ts';
import { document } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import type { StockLocation, StockLocationAddress, StockLocationTranslation } from '../graphql/generated/types.ts';

export const stockLocationProjection = projection<StockLocation>()(stockLocation, {
  address: (row, scope) => document<StockLocationAddress>(scope, row.address),
  translations: (row, scope) => document<StockLocationTranslation[]>(scope, row.translations),
});

import type { stockLocation } from '../../drizzle/stock.ts';
import { dateFilter, idFilter, nameFilter, notDeleted } from '../db/read/filter.ts';
import type { RecordList } from '../db/read/record-list.ts';
import type { QueryListStockLocationArgs, StockLocation } from '../graphql/generated/types.ts';
import { stockLocationProjection } from './stock-location.ts';

/** What `listStockLocation` and `stockLocationPage` list. */
export const stockLocationList: RecordList<StockLocation, typeof stockLocation, QueryListStockLocationArgs> = {
  projection: () => stockLocationProjection,
  filters: (location, args) => [
    ...notDeleted(location.deleted, args.includeDeleted),
    ...idFilter(location.id, args.id),
    ...nameFilter(location.name, args.name),
    ...dateFilter(location.updatedAt, args.updatedAt, 'updatedAt'),
  ],
};

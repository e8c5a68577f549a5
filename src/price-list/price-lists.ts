import type { priceList } from '../../drizzle/price-list.ts';
import { dateFilter, idFilter, nameFilter, notDeleted } from '../db/read/filter.ts';
import type { RecordList } from '../db/read/record-list.ts';
import type { PriceList, QueryListPriceListArgs } from '../graphql/generated/types.ts';
import { priceListProjection } from './price-list.ts';

/** What `listPriceList` and `priceListPage` list. */
export const priceLists: RecordList<PriceList, typeof priceList, QueryListPriceListArgs> = {
  projection: () => priceListProjection,
  filters: (list, args) => [
    ...notDeleted(list.deleted, args.includeDeleted),
    ...idFilter(list.id, args.id),
    ...nameFilter(list.name, args.name),
    ...dateFilter(list.updatedAt, args.updatedAt, 'updatedAt'),
  ],
};

import { stockLocation } from '../../drizzle/stock.ts';
import type { Context } from '../context.ts';
import { dateFilter, idFilter, nameFilter, notDeleted } from '../db/read/filter.ts';
import { readList } from '../db/read/read-page.ts';
import type { Selection } from '../db/read/projection.ts';
import { newestFirst } from '../db/read/sort.ts';
import type { QueryListStockLocationArgs, StockLocation } from '../graphql/generated/types.ts';
import { stockLocationProjection } from './stock-location.ts';

export async function listStockLocation(
  ctx: Context,
  args: QueryListStockLocationArgs,
  selection: Selection,
): Promise<StockLocation[]> {
  return await readList(ctx, stockLocationProjection, {
    selection,
    pagination: args.pagination,
    order: newestFirst(stockLocation),
    where: (location) => [
      ...notDeleted(location.deleted, args.includeDeleted),
      ...idFilter(location.id, args.id),
      ...nameFilter(location.name, args.name),
      ...dateFilter(location.updatedAt, args.updatedAt, 'updatedAt'),
    ],
  });
}

import { stockLocation } from '../../drizzle/stock.ts';
import type { Context } from '../context.ts';
import { dateFilter, idFilter, notDeleted, textFilter } from '../db/filter.ts';
import { readList } from '../db/read.ts';
import type { Selection } from '../db/shape.ts';
import { newestFirst } from '../db/sort.ts';
import type { QueryListStockLocationArgs, StockLocation } from '../graphql/generated/types.ts';
import { stockLocationShape } from './stock-location.ts';

export async function listStockLocation(
  ctx: Context,
  args: QueryListStockLocationArgs,
  selection: Selection,
): Promise<StockLocation[]> {
  return await readList(ctx, stockLocationShape, {
    selection,
    pagination: args.pagination,
    order: newestFirst(stockLocation),
    where: (location) => [
      ...notDeleted(location.deleted, args.includeDeleted),
      ...idFilter(location.id, args.id),
      ...textFilter(location.name, args.name),
      ...dateFilter(location.updatedAt, args.updatedAt, 'updatedAt'),
    ],
  });
}

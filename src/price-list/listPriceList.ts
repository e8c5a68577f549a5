import { priceList } from '../../drizzle/price-list.ts';
import type { Context } from '../context.ts';
import { dateFilter, idFilter, notDeleted, textFilter } from '../db/filter.ts';
import { readList } from '../db/read.ts';
import type { Selection } from '../db/shape.ts';
import { newestFirst } from '../db/sort.ts';
import type { PriceList, QueryListPriceListArgs } from '../graphql/generated/types.ts';
import { priceListShape } from './price-list.ts';

export async function listPriceList(
  ctx: Context,
  args: QueryListPriceListArgs,
  selection: Selection,
): Promise<PriceList[]> {
  return await readList(ctx, priceListShape, {
    selection,
    pagination: args.pagination,
    order: newestFirst(priceList),
    where: (list) => [
      ...notDeleted(list.deleted, args.includeDeleted),
      ...idFilter(list.id, args.id),
      ...textFilter(list.name, args.name),
      ...dateFilter(list.updatedAt, args.updatedAt, 'updatedAt'),
    ],
  });
}

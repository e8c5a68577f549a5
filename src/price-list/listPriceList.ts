import { priceList } from '../../drizzle/price-list.ts';
import type { Context } from '../context.ts';
import { dateFilter, idFilter, nameFilter, notDeleted } from '../db/read/filter.ts';
import { readList } from '../db/read/read-page.ts';
import type { Selection } from '../db/read/projection.ts';
import { newestFirst } from '../db/read/sort.ts';
import type { PriceList, QueryListPriceListArgs } from '../graphql/generated/types.ts';
import { priceListProjection } from './price-list.ts';

export async function listPriceList(
  ctx: Context,
  args: QueryListPriceListArgs,
  selection: Selection,
): Promise<PriceList[]> {
  return await readList(ctx, priceListProjection, {
    selection,
    pagination: args.pagination,
    order: newestFirst(priceList),
    where: (list) => [
      ...notDeleted(list.deleted, args.includeDeleted),
      ...idFilter(list.id, args.id),
      ...nameFilter(list.name, args.name),
      ...dateFilter(list.updatedAt, args.updatedAt, 'updatedAt'),
    ],
  });
}

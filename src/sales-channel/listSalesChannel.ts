import { salesChannel } from '../../drizzle/sales-channel.ts';
import type { Context } from '../context.ts';
import { dateFilter, idFilter, nameFilter, notDeleted } from '../db/read/filter.ts';
import { readList } from '../db/read/read-page.ts';
import type { Selection } from '../db/read/projection.ts';
import { newestFirst } from '../db/read/sort.ts';
import type { QueryListSalesChannelArgs, SalesChannel } from '../graphql/generated/types.ts';
import { salesChannelProjection } from './sales-channel.ts';

export async function listSalesChannel(
  ctx: Context,
  args: QueryListSalesChannelArgs,
  selection: Selection,
): Promise<SalesChannel[]> {
  return await readList(ctx, salesChannelProjection, {
    selection,
    pagination: args.pagination,
    order: newestFirst(salesChannel),
    where: (channel) => [
      ...notDeleted(channel.deleted, args.includeDeleted),
      ...idFilter(channel.id, args.id),
      ...nameFilter(channel.name, args.name),
      ...dateFilter(channel.updatedAt, args.updatedAt, 'updatedAt'),
    ],
  });
}

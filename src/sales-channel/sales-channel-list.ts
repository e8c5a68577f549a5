import type { salesChannel } from '../../drizzle/sales-channel.ts';
import { dateFilter, idFilter, nameFilter, notDeleted } from '../db/read/filter.ts';
import type { RecordList } from '../db/read/record-list.ts';
import type { QueryListSalesChannelArgs, SalesChannel } from '../graphql/generated/types.ts';
import { salesChannelProjection } from './sales-channel.ts';

/** What `listSalesChannel` and `salesChannelPage` list. */
export const salesChannelList: RecordList<SalesChannel, typeof salesChannel, QueryListSalesChannelArgs> = {
  projection: () => salesChannelProjection,
  filters: (channel, args) => [
    ...notDeleted(channel.deleted, args.includeDeleted),
    ...idFilter(channel.id, args.id),
    ...nameFilter(channel.name, args.name),
    ...dateFilter(channel.updatedAt, args.updatedAt, 'updatedAt'),
  ],
};

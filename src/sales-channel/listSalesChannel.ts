import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import { readRecordList } from '../db/read/record-list.ts';
import type { QueryListSalesChannelArgs, SalesChannel } from '../graphql/generated/types.ts';
import { salesChannelList } from './sales-channel-list.ts';

export async function listSalesChannel(
  ctx: Context,
  args: QueryListSalesChannelArgs,
  selection: Selection,
): Promise<SalesChannel[]> {
  return await readRecordList(ctx, salesChannelList, args, selection);
}

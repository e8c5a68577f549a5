import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import type { Page } from '../db/read/read-page.ts';
import { readRecordPage } from '../db/read/record-list.ts';
import type { QuerySalesChannelPageArgs, SalesChannel } from '../graphql/generated/types.ts';
import { salesChannelList } from './sales-channel-list.ts';

export async function salesChannelPage(
  ctx: Context,
  args: QuerySalesChannelPageArgs,
  selection: Selection,
): Promise<Page<SalesChannel>> {
  return await readRecordPage(ctx, salesChannelList, args, selection);
}

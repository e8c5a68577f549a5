import { salesChannel } from '../../drizzle/sales-channel.ts';
import type { Context } from '../context.ts';
import { deleteRecords } from '../db/write/delete.ts';
import type { MutationDeleteSalesChannelListArgs } from '../graphql/generated/types.ts';

export async function deleteSalesChannelList(ctx: Context, args: MutationDeleteSalesChannelListArgs): Promise<boolean> {
  return await deleteRecords(ctx, salesChannel, 'SalesChannel', args.idList);
}

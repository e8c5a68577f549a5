import { priceList } from '../../drizzle/price-list.ts';
import type { Context } from '../context.ts';
import { deleteRecords } from '../db/write/delete.ts';
import type { MutationDeletePriceListListArgs } from '../graphql/generated/types.ts';

export async function deletePriceListList(ctx: Context, args: MutationDeletePriceListListArgs): Promise<boolean> {
  return await deleteRecords(ctx, priceList, 'PriceList', args.idList);
}

import { stockLocation } from '../../drizzle/stock.ts';
import type { Context } from '../context.ts';
import { deleteRecords } from '../db/write/delete.ts';
import type { MutationDeleteStockLocationListArgs } from '../graphql/generated/types.ts';

export async function deleteStockLocationList(
  ctx: Context,
  args: MutationDeleteStockLocationListArgs,
): Promise<boolean> {
  return await deleteRecords(ctx, stockLocation, 'StockLocation', args.idList);
}

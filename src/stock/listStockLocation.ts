import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import { readRecordList } from '../db/read/record-list.ts';
import type { QueryListStockLocationArgs, StockLocation } from '../graphql/generated/types.ts';
import { stockLocationList } from './stock-location-list.ts';

export async function listStockLocation(
  ctx: Context,
  args: QueryListStockLocationArgs,
  selection: Selection,
): Promise<StockLocation[]> {
  return await readRecordList(ctx, stockLocationList, args, selection);
}

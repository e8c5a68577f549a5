import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import type { Page } from '../db/read/read-page.ts';
import { readRecordPage } from '../db/read/record-list.ts';
import type { QueryStockLocationPageArgs, StockLocation } from '../graphql/generated/types.ts';
import { stockLocationList } from './stock-location-list.ts';

export async function stockLocationPage(
  ctx: Context,
  args: QueryStockLocationPageArgs,
  selection: Selection,
): Promise<Page<StockLocation>> {
  return await readRecordPage(ctx, stockLocationList, args, selection);
}

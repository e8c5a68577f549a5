import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import { readRecordList } from '../db/read/record-list.ts';
import type { PriceList, QueryListPriceListArgs } from '../graphql/generated/types.ts';
import { priceLists } from './price-lists.ts';

export async function listPriceList(
  ctx: Context,
  args: QueryListPriceListArgs,
  selection: Selection,
): Promise<PriceList[]> {
  return await readRecordList(ctx, priceLists, args, selection);
}

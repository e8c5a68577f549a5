import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import type { Page } from '../db/read/read-page.ts';
import { readRecordPage } from '../db/read/record-list.ts';
import type { PriceList, QueryPriceListPageArgs } from '../graphql/generated/types.ts';
import { priceLists } from './price-lists.ts';

export async function priceListPage(
  ctx: Context,
  args: QueryPriceListPageArgs,
  selection: Selection,
): Promise<Page<PriceList>> {
  return await readRecordPage(ctx, priceLists, args, selection);
}

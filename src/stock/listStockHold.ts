import { eq, type SQL, sql } from 'drizzle-orm';
import { stockHold } from '../../drizzle/stock-hold.ts';
import type { Context } from '../context.ts';
import { dateFilter, idFilter, textFilter } from '../db/filter/filter.ts';
import { idKey, order } from '../db/read/pagination.ts';
import type { Selection } from '../db/read/projection.ts';
import { type Page, readPage } from '../db/read/read-page.ts';
import type { QueryListStockHoldArgs, StockHold, StockHoldStatusEnum } from '../graphql/generated/types.ts';
import { stockHoldProjection } from './hold/stock-hold.ts';

const newestFirst = order('-recorded', { recorded: idKey(stockHold.id) });

export async function listStockHold(
  ctx: Context,
  args: QueryListStockHoldArgs,
  selection: Selection,
): Promise<Page<StockHold>> {
  return await readPage(ctx, stockHoldProjection, {
    selection,
    pagination: args.pagination,
    order: newestFirst,
    where: (row) => [
      ...idFilter(row.variantId, args.variantId),
      ...idFilter(row.stockLocationId, args.stockLocationId),
      ...idFilter(row.productId, args.productId),
      ...textFilter(row.reference, args.reference),
      ...(args.status ? [hasStatus(row, args.status)] : []),
      ...dateFilter(row.expiresAt, args.expiresAt),
    ],
  });
}

/** ACTIVE is a literal: the plan of all parameter values cannot use the indexes of active holds, which are few. */
function hasStatus({ status }: typeof stockHold, value: StockHoldStatusEnum): SQL {
  return value === 'ACTIVE' ? sql`${status} = 'ACTIVE'` : eq(status, value);
}

import { sql } from 'drizzle-orm';
import { stockMovement } from '../../drizzle/stock-movement.ts';
import type { Context } from '../context.ts';
import { dateFilter, idFilter, madeAtFilter, textFilter } from '../db/filter/filter.ts';
import { idKey, order } from '../db/read/pagination.ts';
import type { Selection } from '../db/read/projection.ts';
import { type Page, readPage } from '../db/read/read-page.ts';
import { enumLiteral } from '../db/sql/parameter.ts';
import type { QueryListStockMovementArgs, StockMovement } from '../graphql/generated/types.ts';
import { stockMovementProjection } from './movement/stock-movement.ts';

/** By id: ids are made from the times of the movements, and an index is read backwards without a sort. */
const newestFirst = order('-recorded', { recorded: idKey(stockMovement.id) });

export async function listStockMovement(
  ctx: Context,
  args: QueryListStockMovementArgs,
  selection: Selection,
): Promise<Page<StockMovement>> {
  return await readPage(ctx, stockMovementProjection(ctx), {
    selection,
    pagination: args.pagination,
    order: newestFirst,
    where: (row) => [
      ...idFilter(row.variantId, args.variantId),
      ...idFilter(row.stockLocationId, args.stockLocationId),
      ...idFilter(row.productId, args.productId),
      ...textFilter(row.reference, args.reference),
      // A literal, so that a generic plan can use the index of the rare kinds.
      ...(args.kind ? [sql`${row.kind} = ${enumLiteral(args.kind)}`] : []),
      ...dateFilter(row.createdAt, args.createdAt),
      ...madeAtFilter(row.id, args.createdAt),
    ],
  });
}

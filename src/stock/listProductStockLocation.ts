import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import type { Context } from '../context.ts';
import { dateFilter, idFilter, isSince, notDeleted } from '../db/filter/filter.ts';
import { instantKey, order } from '../db/read/pagination.ts';
import type { Selection } from '../db/read/projection.ts';
import { type Page, readPage } from '../db/read/read-page.ts';
import type { ProductStockLocation, QueryListProductStockLocationArgs } from '../graphql/generated/types.ts';
import { productStockLocationProjection } from './product-stock-location.ts';

export async function listProductStockLocation(
  ctx: Context,
  args: QueryListProductStockLocationArgs,
  selection: Selection,
): Promise<Page<ProductStockLocation>> {
  const { createdAt, updatedAt } = productStockLocation;
  return await readPage(ctx, productStockLocationProjection, {
    selection,
    pagination: args.pagination,
    order: order(args.sort, { createdAt: instantKey(createdAt), updatedAt: instantKey(updatedAt) }),
    isPlannedForValues: isSince(args.updatedAt),
    where: (row, { tenant }) => [
      ...notDeleted(row.deleted, false),
      ...idFilter(row.id, args.id),
      ...idFilter(row.productId, args.productId),
      ...idFilter(row.variantId, args.variantId),
      ...idFilter(row.stockLocationId, args.stockLocationId),
      ...dateFilter(row.updatedAt, args.updatedAt, tenant.isLiteral),
    ],
  });
}

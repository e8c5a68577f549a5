import { getTableName, sql } from 'drizzle-orm';
import { productStockLocation } from '../../../drizzle/product-stock-location.ts';
import { stockMovement } from '../../../drizzle/stock-movement.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { NO_ID } from '../../db/sql/id.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import type { CheckedRows } from './find-broken.ts';

const PAGE_ROWS = 200;

/**
 * Compares each stock count with its movements, page by page: their sum is the count, and their numbers have no gap and
 * end with the number in the row.
 */
export async function* wrongCounts(ctx: MerchantContext): AsyncGenerator<CheckedRows> {
  for (let after = NO_ID; ;) {
    const rows = await readRows(
      ctx,
      { id: column.text, isRight: column.boolean },
      sql`
      select ${productStockLocation.id} as "id", ${productStockLocation.stockCount} = coalesce(moved.sum, 0)
        and ${productStockLocation.lastMovementNumber} = coalesce(moved.last, 0)
        and coalesce(moved.count = moved.last - moved.first + 1, true) as "isRight"
      from ${productStockLocation}
      left join lateral (
        select sum(${stockMovement.delta}) as sum, max(${stockMovement.sequence}) as last,
          min(${stockMovement.sequence}) as first, count(*) as count
        from ${stockMovement}
        where ${ownedBy(ctx, stockMovement)}
          and ${stockMovement.productStockLocationId} = ${productStockLocation.id}) as moved on true
      where ${ownedBy(ctx, productStockLocation)} and ${productStockLocation.id} > ${after}::uuid
      order by ${productStockLocation.id} limit ${sql.raw(String(PAGE_ROWS))}`,
    );
    const broken = rows.filter(({ isRight }) => !isRight);
    const table = getTableName(productStockLocation);
    if (rows.length > 0)
      yield {
        rows: rows.length,
        broken: broken.map(({ id }) => ({
          merchantId: ctx.merchantId,
          table,
          id,
          member: 'stock_count',
          missing: null,
        })),
      };
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)!.id;
  }
}

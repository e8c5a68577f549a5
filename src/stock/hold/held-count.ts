import { type SQL, sql } from 'drizzle-orm';
import type { productStockLocation } from '../../../drizzle/product-stock-location.ts';
import { stockHold } from '../../../drizzle/stock-hold.ts';
import { aliased, type SqlScope } from '../../db/read/projection.ts';
import { ownedBy } from '../../db/sql/parameter.ts';

/** How much of a stock count is held now, by the database's clock. */
export function heldCount(row: typeof productStockLocation, scope: SqlScope): SQL {
  const { row: hold, from } = aliased(scope, stockHold);
  return sql`coalesce((
    select sum(${hold.quantity}) from ${from}
    where ${ownedBy(scope.tenant, hold)} and ${hold.productStockLocationId} = ${row.id} and ${hold.status} = 'ACTIVE'
      and ${hold.expiresAt} > statement_timestamp()), 0)`;
}

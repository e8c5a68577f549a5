import { sql } from 'drizzle-orm';
import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import { decimalText, withoutEvent } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import type { ProductStockLocation } from '../graphql/generated/types.ts';
import { heldCount } from './hold/held-count.ts';

export const productStockLocationProjection = projection<ProductStockLocation>()(productStockLocation, {
  heldCount: (row, scope) => withoutEvent({ sql: decimalText(heldCount(row, scope)) }),
  availableCount: (row, scope) =>
    withoutEvent({ sql: decimalText(sql`(${row.stockCount} - ${heldCount(row, scope)})`) }),
});

import { productStockLocation } from '../../../drizzle/product-stock-location.ts';
import { stockLocation } from '../../../drizzle/stock.ts';
import type { Context } from '../../context.ts';
import type { PipelineStep } from '../../db/connection/pipeline.ts';
import { newId } from '../../db/sql/id.ts';
import { referenceCheck } from '../../db/write/reference-check.ts';
import { upsert } from '../../db/write/write.ts';
import type { BulkEntry } from './bulk-entry.ts';

/** The step that refuses unknown or deleted stock locations. */
export function stockLocationCheck(ctx: Context, entries: BulkEntry[]): PipelineStep[] {
  const ids = entries.flatMap(({ variants }) =>
    variants.flatMap(({ sent: { stocks }, path }) =>
      (stocks ?? []).map(({ stockLocationId }, index) => ({
        id: stockLocationId,
        path: [...path, 'stocks', index, 'stockLocationId'],
      })),
    ),
  );
  return referenceCheck(ctx, [{ table: stockLocation, type: 'StockLocation', ids }]);
}

/** The step that writes the stock counts of the request. */
export function stockWrites(ctx: Context, entries: BulkEntry[]): PipelineStep[] {
  const rows = entries.flatMap(({ write: { row: product }, variants }) =>
    variants.flatMap(({ sent: { stocks }, write }) =>
      (stocks ?? []).map(({ stockLocationId, stockCount }) => ({
        id: newId(),
        productId: product.id,
        variantId: write.row.id,
        stockLocationId,
        stockCount,
        deleted: false,
      })),
    ),
  );
  return upsert(ctx, productStockLocation, ['productId', 'variantId', 'stockLocationId'], rows);
}

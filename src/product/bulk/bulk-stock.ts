import { productStockLocation } from '../../../drizzle/product-stock-location.ts';
import { stockLocation } from '../../../drizzle/stock.ts';
import type { Context } from '../../context.ts';
import type { PipelineStep } from '../../db/connection/pipeline.ts';
import { referenceCheck } from '../../db/write/reference-check.ts';
import { upsert } from '../../db/write/write.ts';
import type { BulkEntry } from './bulk-entry.ts';

/** The step that refuses unknown or deleted stock locations. */
export function stockLocationCheck(ctx: Context, entries: BulkEntry[]): PipelineStep[] {
  const ids = entries.flatMap(({ product, path }) =>
    product.variants.flatMap(({ stocks }, variant) =>
      (stocks ?? []).map(({ stockLocationId }, index) => ({
        id: stockLocationId,
        path: [...path, 'variants', variant, 'stocks', index, 'stockLocationId'],
      })),
    ),
  );
  return referenceCheck(ctx, [{ table: stockLocation, type: 'StockLocation', ids }]);
}

/** The step that writes the stock counts of the request. */
export function stockWrites(ctx: Context, entries: BulkEntry[]): PipelineStep[] {
  const rows = entries.flatMap(({ product, write }) =>
    product.variants.flatMap(({ stocks }, index) =>
      (stocks ?? []).map(({ stockLocationId, stockCount }) => ({
        productId: write.row.id,
        variantId: write.sentVariants[index]!.row.id,
        stockLocationId,
        stockCount,
        deleted: false,
      })),
    ),
  );
  return upsert(ctx, productStockLocation, ['productId', 'variantId', 'stockLocationId'], rows);
}

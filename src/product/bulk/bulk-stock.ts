import { productStockLocation } from '../../../drizzle/product-stock-location.ts';
import type { Context } from '../../context.ts';
import type { PipelineStep } from '../../db/connection/pipeline.ts';
import { newId } from '../../db/sql/id.ts';
import { referenceWalk, RequestReferences } from '../../db/write/references.ts';
import { upsert } from '../../db/write/write.ts';
import { mapInSlices } from '../../limits/event-loop-slices.ts';
import { inLockOrder } from '../../stock/lock-order.ts';
import { productReferences } from '../generated/product-references.ts';
import type { BulkEntry } from './bulk-entry.ts';

const ofVariant = referenceWalk(productReferences.BulkUpdateProductVariantInput);

/** The step that refuses unknown or deleted stock locations. */
export async function stockLocationCheck(ctx: Context, entries: BulkEntry[]): Promise<PipelineStep[]> {
  const references = new RequestReferences();
  await mapInSlices(ctx, entries, ({ variants }) => {
    for (const { sent, path } of variants) references.add(ofVariant, { stocks: sent.stocks }, path);
  });
  return references.check(ctx);
}

/** The step that writes the stock counts of the request, in the order in which all transactions lock them. */
export async function stockWrites(ctx: Context, entries: BulkEntry[]): Promise<PipelineStep[]> {
  // A sort of all rows at once would block the event loop: 900 ms for 100,000 rows.
  const inOrder = entries.toSorted((a, b) => (a.write.row.id < b.write.row.id ? -1 : 1));
  const rows = await mapInSlices(ctx, inOrder, ({ write: { row: product }, variants }) => {
    const ofProduct = variants.flatMap(({ sent: { stocks }, write }) =>
      (stocks ?? []).map(({ stockLocationId, stockCount }) => ({
        id: newId(),
        productId: product.id,
        variantId: write.row.id,
        stockLocationId,
        stockCount,
        deleted: false,
      })),
    );
    return inLockOrder(ofProduct);
  });
  return upsert(ctx, productStockLocation, ['productId', 'variantId', 'stockLocationId'], rows.flat());
}

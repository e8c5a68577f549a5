import { sql } from 'drizzle-orm';
import { product } from '../../../drizzle/product.ts';
import type { MerchantContext } from '../../context.ts';
import type { PipelineStep } from '../../db/connection/pipeline.ts';
import { insertIfAbsent } from '../../db/write/write.ts';
import type { ProductRow } from '../stored/stored-products.ts';

/** Another transaction has created a product with a `sourceId` that was free when this one looked it up. */
class CreatedByOthersError extends Error {}

/**
 * The step that inserts new products. If another transaction is inserting the same `sourceId`, the step waits for its
 * end and, if that product is committed, throws CreatedByOthersError. Sorted, so that concurrent requests cannot
 * deadlock.
 */
export function insertNewProducts(ctx: MerchantContext, rows: ProductRow[]): PipelineStep<void>[] {
  const sorted = rows.toSorted((a, b) => ((a.sourceId ?? '') < (b.sourceId ?? '') ? -1 : 1));
  const steps = insertIfAbsent(ctx, product, { key: ['sourceId'], among: sql`source_id is not null` }, sorted);
  return steps.map(({ statement, read }) => ({
    statement,
    read: (inserted) => {
      if (read(inserted).length < rows.length) throw new CreatedByOthersError('A source id is no longer free.');
    },
  }));
}

/**
 * Runs `save`, a transaction that looks up products and calls `insertNewProducts`. If others have created some of the
 * products meanwhile, it is rolled back and runs again, and then finds them. Only a new transaction can lock them in
 * the usual order, products before the records that they name, without which two requests could deadlock. A committed
 * product is found by the next lookup, so `save` is repeated only for products of which it did not know.
 */
export async function findOrCreateProducts<T>(save: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await save();
    } catch (error) {
      if (!(error instanceof CreatedByOthersError)) throw error;
    }
  }
}

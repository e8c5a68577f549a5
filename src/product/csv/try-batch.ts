import type { Context } from '../../context.ts';
import { inTentativeTransaction } from '../../db/connection/transaction.ts';
import type { Layout } from './columns.ts';
import { memberDifferences, type ProductDifference } from './differences.ts';
import { matchingProducts } from './matching-products.ts';
import type { CsvProduct } from './read-csv.ts';
import type { StoreIds } from './store-ids.ts';

/**
 * Imports a batch, compares its products, and rolls the batch back. So the differences are those of a real import, with
 * everything that the service does by itself. `importBatch` may be called again after a deadlock.
 */
export async function tryBatch<T>(
  ctx: Context,
  csvProducts: readonly CsvProduct[],
  layout: Layout,
  importBatch: (ctx: Context) => Promise<{ storeIds: StoreIds; result: T }>,
): Promise<{ differences: ProductDifference[]; result: T }> {
  return await inTentativeTransaction(ctx, async (ctx) => {
    const before = await matchingProducts(ctx, csvProducts, layout);
    const { storeIds, result } = await importBatch(ctx);
    const after = await matchingProducts(ctx, csvProducts, layout);
    const differences = csvProducts.flatMap(({ handle }, index): ProductDifference[] => {
      const [old, current] = [before[index], after[index]];
      const members = current ? memberDifferences(old, current, storeIds) : [];
      if (!current || members.length === 0) return [];
      return [{ handle, name: current.name, change: old ? 'UPDATED' : 'CREATED', members }];
    });
    return { result: { differences, result }, isLasting: false };
  });
}

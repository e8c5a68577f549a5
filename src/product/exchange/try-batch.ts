import type { Context } from '../../context.ts';
import { inTentativeTransaction } from '../../db/connection/transaction.ts';
import { productsInBundles } from './bundled-products.ts';
import { memberDifferences, type ProductDifference } from './differences.ts';
import { matchingProducts } from './matching-products.ts';
import type { FileProduct } from './import-input.ts';
import type { StoreIds } from './store-ids.ts';

/**
 * Imports a batch, compares its products, and rolls the batch back. So the differences are those of a real import, with
 * everything that the service does by itself. `importBatch` may be called again after a deadlock.
 */
export async function tryBatch<T>(
  ctx: Context,
  products: readonly FileProduct[],
  importBatch: (ctx: Context) => Promise<{ storeIds: StoreIds; result: T }>,
): Promise<{ differences: ProductDifference[]; result: T }> {
  return await inTentativeTransaction(ctx, async (ctx) => {
    const before = await matchingProducts(ctx, products);
    const { storeIds, result } = await importBatch(ctx);
    const after = await matchingProducts(ctx, products);
    const compared = [...before, ...after].filter((product) => product !== undefined);
    const labels = { ...storeIds, bundled: await productsInBundles(ctx, compared) };
    const differences = products.flatMap(({ handle }, index): ProductDifference[] => {
      const [old, current] = [before[index], after[index]];
      const members = current ? memberDifferences(old, current, labels) : [];
      if (!current || members.length === 0) return [];
      return [{ handle, name: current.name, change: old ? 'UPDATED' : 'CREATED', members }];
    });
    return { result: { differences, result }, isLasting: false };
  });
}

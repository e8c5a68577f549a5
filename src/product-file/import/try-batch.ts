import type { Context } from '../../context.ts';
import { inTentativeTransaction } from '../../db/connection/transaction.ts';
import { productsInBundles } from '../line/bundled-products.ts';
import { memberDifferences, type ImportOutcome, type ProductDifference } from './differences.ts';
import { matchingProducts } from './matching-products.ts';
import type { FileProduct } from './file-product.ts';
import type { StoreIds } from '../line/store-ids.ts';

/** What is done with a product, and why it is not written. */
export type Decision = { outcome: ImportOutcome; reason: string | null };

/**
 * Imports a batch, compares its products, and rolls the batch back. So the differences are those of a real import, with
 * everything that the service does by itself. `importBatch` may be called again after a deadlock. It returns the products
 * to compare.
 */
export async function tryBatch<T>(
  ctx: Context,
  products: readonly FileProduct[],
  importBatch: (
    ctx: Context,
  ) => Promise<{ storeIds: StoreIds; decisions: ReadonlyMap<FileProduct, Decision>; result: T }>,
): Promise<{ differences: ProductDifference[]; result: T }> {
  return await inTentativeTransaction(ctx, async (ctx) => {
    const before = await matchingProducts(ctx, products);
    const { storeIds, decisions, result } = await importBatch(ctx);
    const after = await matchingProducts(ctx, products);
    const compared = [...before, ...after].filter((product) => product !== undefined);
    const labels = { ...storeIds, bundled: await productsInBundles(ctx, compared) };
    const differences = products.flatMap((product, index): ProductDifference[] => {
      const [old, current, decision] = [before[index], after[index], decisions.get(product)];
      const members = current && decision ? memberDifferences(old, current, labels) : [];
      if (!current || !decision || members.length === 0) return [];
      const { handle } = product;
      return [{ handle, name: current.name, change: old ? 'UPDATED' : 'CREATED', ...decision, members }];
    });
    return { result: { differences, result }, isLasting: false };
  });
}

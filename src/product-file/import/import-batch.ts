import type { Context } from '../../context.ts';
import { inDryRun } from '../../db/connection/transaction.ts';
import { isTimeout } from '../../db/errors/database-error.ts';
import type { FileProduct } from './file-product.ts';
import { type ImportRun, newRun } from './import-run.ts';
import {
  distinctMistakes,
  inOrder,
  listSkipped,
  type Mistake,
  type Skipped,
  skippedBy,
  withoutFollowing,
} from './skipped.ts';
import { writeProducts } from './write-products.ts';

/** Writes the products without mistakes, and names the mistakes of the others. Returns the products that are written. */
export async function importBatch(
  ctx: Context,
  products: readonly FileProduct[],
  run: ImportRun,
): Promise<FileProduct[]> {
  const isSound = (product: FileProduct): boolean => product.mistakes().length === 0;
  // No record is created for a product that is refused.
  const written = await writeProducts(ctx, products.filter(isSound), run, isSound);
  await skipMistaken(
    ctx,
    products.filter((product) => !isSound(product)),
    run,
  );
  return written;
}

/**
 * Skips products with mistakes, and names all mistakes at once: the products are imported without what is mistaken, and
 * rolled back, so that what the service refuses is found too.
 */
async function skipMistaken(ctx: Context, products: readonly FileProduct[], run: ImportRun): Promise<void> {
  if (products.length === 0) return;
  const refused = await triedRefusals(ctx, products, run);
  const ofProducts = refusedMistakes(products, refused);
  for (const product of products) {
    const own = product.mistakes();
    const others = withoutFollowing(ofProducts.get(product) ?? [], own);
    const mistakes = inOrder(distinctMistakes([...own, ...others]));
    listSkipped(run.imported.skipped, skippedBy(product.handle || null, mistakes));
  }
}

/** Nothing if it takes too long: the mistakes that are known are named anyway. */
async function triedRefusals(ctx: Context, products: readonly FileProduct[], run: ImportRun): Promise<Skipped[]> {
  const [strays, named] = [products.filter(isStray), products.filter((product) => !isStray(product))];
  try {
    return await inDryRun(ctx, async (ctx) => {
      const tried = { ...newRun({ ...run, keep: 'sheet' }, run.records), isTrial: true };
      for (const stray of strays) stray.read(undefined, run.records, tried.imported);
      await writeProducts(ctx, named, tried);
      return tried.imported.skipped;
    });
  } catch (error) {
    if (isTimeout(error)) return [];
    throw error;
  }
}

/** A row without a handle belongs to no product. */
function isStray({ handle }: FileProduct): boolean {
  return handle === '';
}

/** The products have their rows in the order of the file, so the last one that begins before a line has it. */
function refusedMistakes(
  products: readonly FileProduct[],
  refused: readonly Skipped[],
): ReadonlyMap<FileProduct, Mistake[]> {
  const found = new Map<FileProduct, Mistake[]>();
  for (const { line: refusedLine, mistakes = [] } of refused) {
    const product = products.findLast(({ line }) => line <= refusedLine);
    if (product) found.set(product, [...(found.get(product) ?? []), ...mistakes]);
  }
  return found;
}

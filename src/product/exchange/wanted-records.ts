import type { Context } from '../../context.ts';
import { CommerceError } from '../../errors.ts';
import { type FileProduct, type Skipped, skippedProduct } from './import-input.ts';
import { createMissingRecords, rereadStoreIds, type StoreIds } from './store-ids.ts';

type Created = { storeIds: StoreIds; products: FileProduct[] };

/**
 * Creates the records that the products need. Products that cannot be read, and those whose records are refused, are
 * skipped; the others are returned.
 */
export async function createWantedRecords(
  ctx: Context,
  storeIds: StoreIds,
  products: readonly FileProduct[],
  { skipped }: { skipped: Skipped[] },
): Promise<Created> {
  const readable = products.filter((product) => isReadable(product, skipped));
  try {
    const wanted = readable.map((product) => product.wanted());
    return { storeIds: await createMissingRecords(ctx, storeIds, wanted), products: readable };
  } catch (error) {
    if (!(error instanceof CommerceError)) throw error;
    return await createOneByOne(ctx, storeIds, readable, skipped);
  }
}

function isReadable(product: FileProduct, skipped: Skipped[]): boolean {
  try {
    product.wanted();
    product.exportedAt();
    return true;
  } catch (error) {
    skipped.push(skippedProduct(product, error));
    return false;
  }
}

/** Finds out whose records are refused. */
async function createOneByOne(
  ctx: Context,
  storeIds: StoreIds,
  products: readonly FileProduct[],
  skipped: Skipped[],
): Promise<Created> {
  // Some records were created before the refusal.
  const created: Created = { storeIds: await rereadStoreIds(ctx, storeIds), products: [] };
  for (const product of products)
    try {
      created.storeIds = await createMissingRecords(ctx, created.storeIds, [product.wanted()]);
      created.products.push(product);
    } catch (error) {
      if (!(error instanceof CommerceError)) throw error;
      const { line, handle } = product;
      skipped.push({
        line,
        handle,
        reason: `needs an attribute or a stock location that is refused: ${error.message}`,
      });
    }
  return created;
}

import type { Context } from '../../context.ts';
import { pipeline } from '../../db/connection/pipeline.ts';
import type { InputPath } from '../../errors.ts';
import { automatedCategories } from '../../product/checks/automated-categories.ts';
import { type AddedToBundle, addedToBundles, bundleCheck, bundleLock } from '../../product/checks/bundle-check.ts';
import { refuseRepeatedOptions, refuseTooMany } from '../../product/merge/merge-variants.ts';
import { productReferenceChecks, type ReferringProduct } from '../../product/checks/product-references.ts';
import type { ProductInput } from '../../product/input/product-input.ts';
import type { MergedProduct } from '../../product/merge/merge-product.ts';
import { type StoredProduct, withLists } from '../../product/stored/stored-products.ts';
import type { VariantWrite } from '../../product/stored/write-product-rows.ts';
import type { RecordState, RowState } from './take-back.ts';
import { changedMembers, changedRows } from './write-records.ts';

/** Refuses what a save of the products would refuse. */
export async function checkProducts(ctx: Context, products: readonly RecordState[]): Promise<void> {
  const referring = products.map(referringProduct);
  const categoryIds = referring.flatMap(({ input }) => input.categoryIds ?? []);
  const automated = await automatedCategories(ctx, categoryIds);
  const references = await productReferenceChecks(ctx, referring, automated);
  const added = products.flatMap(addedByProduct);
  await pipeline(ctx, [...references, ...bundleLock(ctx, added), ...bundleCheck(ctx, added)]);
  for (const product of products) checkVariants(product);
}

/** The members that are written, as the input of a save. */
function referringProduct(product: RecordState): ReferringProduct {
  const [row] = changedRows(product, '');
  // With the id, by which the checks find the stored variant.
  const sent = changedRows(product, 'variants').map((row) =>
    withLists({ ...changedMembers(row), id: row.target!['id'] }),
  );
  return {
    input: { ...(row && withLists(changedMembers(row))), variants: sent } as unknown as ProductInput,
    path: pathOf(product),
    stored: storedProduct(product),
  };
}

function storedProduct({ recordId, rows }: RecordState): StoredProduct | undefined {
  const row = rows.get('')!.get(recordId)?.stored;
  if (!row) return undefined;
  const stored = [...rows.get('variants')!].flatMap(([id, variant]) =>
    variant.stored ? [[id, withLists(variant.stored)] as const] : [],
  );
  return { row: withLists(row), variants: new Map(stored) } as unknown as StoredProduct;
}

/** A variant that moves to another product adds to the bundles of that one. */
function addedByProduct(product: RecordState): AddedToBundle[] {
  const { recordId, rows } = product;
  const ofProduct = (row: RowState['stored']) => (row?.['productId'] === recordId ? row : undefined);
  const writes = [...rows.get('variants')!.values()].flatMap(({ stored, target }) =>
    ofProduct(target) ? [{ stored: ofProduct(stored), row: target }] : [],
  ) as unknown as VariantWrite[];
  return addedToBundles(recordId, writes, (id) => [...pathOf(product), 'variants', id]);
}

function checkVariants(product: RecordState): void {
  const writes = [...product.rows.get('variants')!.values()].flatMap(({ stored, target }) =>
    target ? [{ stored: stored && withLists(stored), row: withLists(target) }] : [],
  ) as unknown as VariantWrite[];
  const path = [...pathOf(product), 'variants'];
  refuseRepeatedOptions(
    { sentVariants: writes, variants: writes } as unknown as MergedProduct,
    path,
    'variantValueIds',
  );
  refuseTooMany(writes, storedProduct(product)?.variants ?? new Map(), path);
}

function pathOf({ recordType, recordId }: RecordState): InputPath {
  return [recordType, recordId];
}

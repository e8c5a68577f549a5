import type { Context } from '../../context.ts';
import { pipeline, type PipelineStep } from '../../db/connection/pipeline.ts';
import type { InputPath } from '../../errors.ts';
import { automatedCategories } from '../../product/checks/automated-categories.ts';
import { bundleCheck } from '../../product/checks/bundle-check.ts';
import { refuseRepeatedOptions } from '../../product/checks/option-values.ts';
import { productReferenceChecks, type ReferringProduct } from '../../product/checks/product-references.ts';
import type { ProductInput } from '../../product/input/product-input.ts';
import type { MergedProduct } from '../../product/merge/merge-product.ts';
import { refuseTooMany } from '../../product/merge/merge-variants.ts';
import type { StoredProduct } from '../../product/stored/stored-products.ts';
import type { VariantWrite } from '../../product/stored/write-product-rows.ts';
import type { RecordState, RowState } from './take-back.ts';
import { changedMembers, changedRows } from './write-records.ts';

/** Refuses what a save of the products would refuse. */
export async function checkProducts(ctx: Context, products: readonly RecordState[]): Promise<void> {
  const referring = products.map(referringProduct);
  const categoryIds = referring.flatMap(({ input }) => input.categoryIds ?? []);
  const automated = await automatedCategories(ctx, categoryIds);
  const bundles = referring.flatMap(({ input, stored, path }): PipelineStep[] => bundleCheck(ctx, input, stored, path));
  await pipeline(ctx, [...(await productReferenceChecks(ctx, referring, automated)), ...bundles]);
  for (const product of products) checkVariants(product);
}

/** The members that are written, as the input of a save. */
function referringProduct(product: RecordState): ReferringProduct {
  const [own, variants] = product.rows.keys();
  const [row] = changedRows(product, own);
  const sent = changedRows(product, variants).map(changedMembers);
  return {
    input: { ...(row && changedMembers(row)), variants: sent } as unknown as ProductInput,
    path: pathOf(product),
    stored: storedProduct(product),
  };
}

function storedProduct({ recordId, rows }: RecordState): StoredProduct | undefined {
  const [own, variants] = rows.values();
  const row = own!.get(recordId)?.stored;
  if (!row) return undefined;
  const stored = [...variants!].flatMap(([id, variant]) => (variant.stored ? [[id, variant.stored] as const] : []));
  return { row, variants: new Map(stored) } as unknown as StoredProduct;
}

function checkVariants(product: RecordState): void {
  const rows = [...product.rows.values()][1]!;
  const variants = [...rows.values()].filter(({ target }) => target);
  const writes = variants.map(({ stored, target }: RowState) => ({ stored, row: target })) as unknown as VariantWrite[];
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

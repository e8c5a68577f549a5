import type { MerchantContext } from '../../context.ts';
import type { PipelineStep } from '../../db/connection/pipeline.ts';
import { referenceWalk, RequestReferences, StoredReferences } from '../../db/write/references.ts';
import type { InputPath } from '../../errors.ts';
import { mapInSlices } from '../../limits/event-loop-slices.ts';
import { productReferences } from '../generated/product-references.ts';
import type { ProductInput } from '../input/product-input.ts';
import type { StoredProduct } from '../stored/stored-products.ts';
import { attributeValueCheck } from './attribute-values.ts';

/** The input of a product, its path in the arguments, and the stored product, which a new one does not have. */
export type ReferringProduct = { input: ProductInput; path: InputPath; stored: StoredProduct | undefined };

const ofProduct = referenceWalk(productReferences.ProductInput);
const ofVariant = referenceWalk(productReferences.VariantInput);

/**
 * The steps that refuse ids of unknown or deleted records. References that a stored product already has are accepted,
 * even if the record has been deleted since. Also refuses values that are not of their attribute's type. `ignored`: ids
 * that are not stored, and may be those of deleted records.
 */
export async function productReferenceChecks(
  ctx: MerchantContext,
  products: ReferringProduct[],
  ignored: ReadonlySet<string>,
): Promise<PipelineStep<void>[]> {
  const references = new RequestReferences(ignored);
  await mapInSlices(ctx, products, (product) => addReferences(references, product));
  return [...references.check(ctx), ...(await attributeValueCheck(ctx, products))];
}

function addReferences(references: RequestReferences, { input, path, stored }: ReferringProduct): void {
  const known = new StoredReferences();
  if (stored) known.addRow(ofProduct, stored.row);
  for (const variant of stored?.variants.values() ?? []) known.addRow(ofVariant, variant);
  references.add(ofProduct, input, path, known);
  for (const [index, variant] of input.variants.entries())
    references.add(ofVariant, variant, [...path, 'variants', index], known);
}

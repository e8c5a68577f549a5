import { z } from 'zod';
import { distinct, ownId } from '../../field-input.ts';
import { pageMetadataInput } from '../../page-metadata/page-metadata-input.ts';
import { oneBasePrice, priceInput, productInput, variantInput } from './product-input.ts';

const MUST_NOT_BE_NULL = 'must not be null: leave it out to keep the stored value';

const variantPatch = variantInput.omit({ isActive: true, prices: true }).extend({
  isActive: notNull(z.boolean()),
  prices: notNull(
    z
      .array(priceInput.omit({ sellPrice: true }).extend({ sellPrice: notNull(priceInput.shape.sellPrice) }))
      .superRefine(distinct('priceListId'))
      .superRefine(oneBasePrice),
  ),
});

/** The members of ProductInput, of which any may be left out. */
export const productPatchInput = productInput
  .omit({ id: true, version: true, name: true, type: true, variants: true, metaData: true })
  .extend({
    name: notNull(productInput.shape.name),
    type: notNull(productInput.shape.type),
    variants: notNull(z.array(variantPatch.extend({ id: ownId() })).superRefine(distinct('id'))),
    metaData: pageMetadataInput
      .omit({ slug: true })
      .extend({ slug: notNull(pageMetadataInput.shape.slug) })
      .nullish(),
  });

export type ProductPatch = z.infer<typeof productPatchInput>;
export type VariantPatch = NonNullable<ProductPatch['variants']>[number];

/** A member that may be left out, but not cleared. */
function notNull<Schema extends z.ZodType>(schema: Schema) {
  return z
    .custom((value) => value !== null, MUST_NOT_BE_NULL)
    .pipe(schema.optional())
    .optional() as unknown as z.ZodOptional<Schema>;
}

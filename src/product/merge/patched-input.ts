import type { ProductInput, VariantInput } from '../input/product-input.ts';
import type { ProductPatch, VariantPatch } from '../input/product-patch-input.ts';
import type { StoredProduct, VariantRow } from '../stored/stored-products.ts';
import { withStoredMembers } from './merge-variant.ts';

/**
 * The patch as an input of saveProduct. Members that it leaves out get their stored values when they are merged. A price
 * has no `sellPrice` if the patch and the stored price have none: see `refuseMissingSellPrices`.
 */
export function patchedInput(patch: ProductPatch, { row, variants }: StoredProduct): ProductInput {
  const { variants: sent = [], ...members } = patch;
  return {
    ...members,
    id: row.id,
    variants: sent.map((variant) => patchedVariant(variant, variants.get(variant.id ?? ''))),
  } as ProductInput;
}

function patchedVariant(patch: VariantPatch, stored: VariantRow | undefined): VariantInput {
  return {
    ...patch,
    deleted: patch.deleted ?? stored?.deleted,
    prices: withStoredMembers(patch.prices ?? [], stored?.prices),
  } as VariantInput;
}

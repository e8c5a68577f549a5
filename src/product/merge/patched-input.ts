import { argumentInvalid, type InputPath } from '../../errors.ts';
import type { ProductInput, VariantInput } from '../input/product-input.ts';
import type { ProductPatch, VariantPatch } from '../input/product-patch-input.ts';
import type { StoredProduct, VariantRow } from '../stored/stored-products.ts';
import { withStoredMembers } from './variant-prices.ts';

/** The patch as an input of saveProduct. Members that it leaves out get their stored values when they are merged. */
export function patchedInput(patch: ProductPatch, { row, variants }: StoredProduct, path: InputPath): ProductInput {
  const { variants: sent = [], ...members } = patch;
  return {
    ...members,
    id: row.id,
    variants: sent.map((variant, index) =>
      patchedVariant(variant, variants.get(variant.id ?? ''), [...path, 'variants', index]),
    ),
  } as ProductInput;
}

function patchedVariant(patch: VariantPatch, stored: VariantRow | undefined, path: InputPath): VariantInput {
  return {
    ...patch,
    deleted: patch.deleted ?? stored?.deleted,
    prices: (patch.prices ?? []).map((price, index) => {
      const { sellPrice, ...members } = withStoredMembers(price, stored?.prices);
      if (sellPrice !== undefined) return { ...members, sellPrice };
      const at = [...path, 'prices', index, 'sellPrice'];
      throw argumentInvalid([{ path: at, message: 'must be given: the variant has no price in this price list' }]);
    }),
  } as VariantInput;
}

import { type InputPath, invalidAt } from '../../errors.ts';
import type { ProductInput, VariantInput } from '../input/product-input.ts';
import type { ProductPatch, VariantPatch } from '../input/product-patch-input.ts';
import type { StoredProduct, VariantRow } from '../stored/stored-products.ts';
import { withStoredMembers } from './variant-prices.ts';

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

/** Refuses a price without a sell price among those that are saved. Its place is that in `sent`. */
export function refuseMissingSellPrices(sent: ProductInput, saved: ProductInput, path: InputPath): void {
  for (const [index, { prices }] of sent.variants.entries()) {
    const savedLists = new Set(saved.variants[index]!.prices.map(({ priceListId }) => priceListId));
    const place = prices.findIndex(
      ({ sellPrice, priceListId }: Partial<VariantInput['prices'][number]>) =>
        sellPrice === undefined && savedLists.has(priceListId),
    );
    if (place === -1) continue;
    throw invalidAt(
      [...path, 'variants', index, 'prices', place, 'sellPrice'],
      'must be given: the variant has no price in this price list',
    );
  }
}

import { saveVariantPricesInput, type VariantPriceInput } from '../generated/product-input.ts';

export type VariantPriceRow = VariantPriceInput;

export const variantPricesInput = saveVariantPricesInput.superRefine(
  ({ priceListId = null, variantPriceInputs }, context) => {
    const seen = new Set<string>();
    for (const [index, { variantId, price, deleted }] of variantPriceInputs.entries()) {
      const refuse = (member: string[], message: string) =>
        context.addIssue({ code: 'custom', path: ['variantPriceInputs', index, ...member], message });
      if (seen.has(variantId)) refuse(['variantId'], 'must not occur twice');
      if (price.priceListId != null && price.priceListId !== priceListId)
        refuse(['price', 'priceListId'], "must be the request's own priceListId, or left out");
      if (deleted && priceListId === null)
        refuse(['deleted'], 'must not be true for the base price, which every variant has');
      seen.add(variantId);
    }
  },
);

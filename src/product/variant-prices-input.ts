import { z } from 'zod';
import { id } from '../field-input.ts';
import { priceInput } from './save/product-input.ts';

/** Price rows in one request. The SDL says so too. */
const MAX_VARIANT_PRICES = 3_000;

const row = z.object({ productId: id(), variantId: id(), price: priceInput, deleted: z.boolean().nullish() });

export type VariantPriceRow = z.output<typeof row>;

export const variantPricesInput = z
  .object({
    priceListId: id()
      .nullish()
      .transform((value) => value ?? null),
    variantPriceInputs: z.array(row).max(MAX_VARIANT_PRICES, `must have at most ${MAX_VARIANT_PRICES} entries`),
  })
  .superRefine(({ priceListId, variantPriceInputs }, context) => {
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
  });

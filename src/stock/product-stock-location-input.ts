import { z } from 'zod';
import { amount, id } from '../field-input.ts';

const MAX_STOCK_COUNT_ENTRIES = 1_000;
/** Sums over all variants and locations stay within the exact range of a Float. */
const MAX_STOCK_COUNT = 1_000_000_000_000;

export const productStockLocationsInput = z.object({
  productStockLocationInputs: z
    .array(
      z.object({
        productId: id(),
        variantId: id(),
        stockLocationId: id(),
        stockCount: stockCount(),
        id: id().nullish(),
      }),
    )
    .max(MAX_STOCK_COUNT_ENTRIES, `must have at most ${MAX_STOCK_COUNT_ENTRIES} entries`)
    .superRefine((entries, context) => {
      const seen = new Set<string>();
      for (const [index, { variantId, stockLocationId }] of entries.entries()) {
        const key = JSON.stringify([variantId, stockLocationId]);
        if (seen.has(key))
          context.addIssue({
            code: 'custom',
            path: [index],
            message: 'must not name the variant and stock location of an entry before it',
          });
        seen.add(key);
      }
    })
    .nullish()
    .transform((entries) => entries ?? []),
});

export type ProductStockLocationEntry = z.infer<
  typeof productStockLocationsInput
>['productStockLocationInputs'][number];

/** Negative when more was sold than was in stock. */
export function stockCount() {
  return amount({ min: -MAX_STOCK_COUNT, max: MAX_STOCK_COUNT });
}

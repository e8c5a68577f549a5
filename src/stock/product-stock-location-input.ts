import { type ProductStockLocationInput, saveStockLocationsInput } from './generated/stock-input.ts';

export type ProductStockLocationEntry = ProductStockLocationInput;

export const productStockLocationsInput = saveStockLocationsInput.superRefine(
  ({ productStockLocationInputs: entries }, context) => {
    const seen = new Set<string>();
    for (const [index, { variantId, stockLocationId }] of (entries ?? []).entries()) {
      const key = JSON.stringify([variantId, stockLocationId]);
      if (seen.has(key))
        context.addIssue({
          code: 'custom',
          path: ['productStockLocationInputs', index],
          message: 'must not name the variant and stock location of an entry before it',
        });
      seen.add(key);
    }
  },
);

import { z } from 'zod';
import { currencyCode, id, measure, MAX_NAME_LENGTH, name, number, ownId, text } from '../field-input.ts';

export const priceListInput = z.object({
  id: ownId(),
  name: name(),
  currency: currencyCode(),
  currencyCode: currencyCode().nullish(),
  currencySymbol: text(MAX_NAME_LENGTH).nullish(),
  type: z.enum(['DYNAMIC', 'DYNAMIC_RATE', 'MANUAL']).nullish(),
  addProductsAutomatically: z.boolean().nullish(),
  ruleList: z.array(ruleList()).nullish(),
  deleted: z.boolean().nullish(),
});

export type PriceListInput = z.infer<typeof priceListInput>;

function ruleList() {
  return z.object({
    basePriceListId: id().nullish(),
    currencyRateSettings: z
      .object({ amount: measure().nullish(), type: z.enum(['CURRENT_RATE', 'CUSTOM_RATE']) })
      .nullish(),
    currencySettings: z.object({ roundingFormat: text(MAX_NAME_LENGTH).nullish() }),
    rules: z.array(
      z.object({
        amount: number(),
        amountType: z.enum(['AMOUNT', 'RATIO']),
        operationType: z.enum(['DECREASE', 'INCREASE']),
      }),
    ),
  });
}

import { z } from 'zod';
import { currencyCode, id, measure, MAX_NAME_LENGTH, name, number, ownId, text } from '../field-input.ts';

const ruleList = z.array(
  z.object({
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
  }),
);

export const priceListInput = z.object({
  id: ownId(),
  name: name(),
  currency: currencyCode(),
  currencyCode: currencyCode().nullish(),
  currencySymbol: text(MAX_NAME_LENGTH).nullish(),
  type: z.enum(['DYNAMIC', 'DYNAMIC_RATE', 'MANUAL']).nullish(),
  addProductsAutomatically: z.boolean().nullish(),
  ruleList: ruleList.nullish(),
  deleted: z.boolean().nullish(),
});

export type RuleList = z.output<typeof ruleList>;
export type RuleListEntry = RuleList[number];

/** The stored rules, or null if they do not have the shape of the input. Plain SQL can store any JSON. */
export function storedRuleList(value: unknown): RuleList | null {
  return ruleList.safeParse(value).data ?? null;
}

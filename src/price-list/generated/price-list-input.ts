// Written by `npm run codegen` from schema/price-list.graphql. Do not edit.
import { z } from 'zod';
import { currencyCode, id, list, measure, name, number, ownId, text } from '../../field-input.ts';

const priceListCurrencyRateTypeEnum = z.enum(['CURRENT_RATE', 'CUSTOM_RATE']);

const priceListRulesAmountTypeEnum = z.enum(['AMOUNT', 'RATIO']);

const priceListRulesOperationTypeEnum = z.enum(['DECREASE', 'INCREASE']);

const priceListTypeEnum = z.enum(['DYNAMIC', 'DYNAMIC_RATE', 'MANUAL']);

export const priceListCurrencyRateSettingsInput = z.object({
  amount: measure().nullish(),
  type: priceListCurrencyRateTypeEnum,
});
export type PriceListCurrencyRateSettingsInput = z.output<typeof priceListCurrencyRateSettingsInput>;

export const priceListCurrencySettingsInput = z.object({
  roundingFormat: text(255).nullish(),
});
export type PriceListCurrencySettingsInput = z.output<typeof priceListCurrencySettingsInput>;

export const priceListRulesInput = z.object({
  amount: number(),
  amountType: priceListRulesAmountTypeEnum,
  operationType: priceListRulesOperationTypeEnum,
});
export type PriceListRulesInput = z.output<typeof priceListRulesInput>;

export const priceListRuleListInput = z.object({
  basePriceListId: id().nullish(),
  currencyRateSettings: priceListCurrencyRateSettingsInput.nullish(),
  currencySettings: priceListCurrencySettingsInput,
  rules: list(priceListRulesInput, 1000),
});
export type PriceListRuleListInput = z.output<typeof priceListRuleListInput>;

export const priceListInput = z.object({
  id: ownId(),
  name: name(255),
  currency: currencyCode(),
  currencyCode: currencyCode().nullish(),
  currencySymbol: text(255).nullish(),
  type: priceListTypeEnum.nullish(),
  addProductsAutomatically: z.boolean().nullish(),
  ruleList: list(priceListRuleListInput, 1000).nullish(),
  deleted: z.boolean().nullish(),
});
export type PriceListInput = z.output<typeof priceListInput>;

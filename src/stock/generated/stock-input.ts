// Written by `npm run codegen` from schema/stock.graphql. Do not edit.
import { z } from 'zod';
import { amount, distinct, id, instant, list, name, ownId, text, trimmed } from '../../field-input.ts';

const stockLocationTypeEnum = z.enum(['PHYSICAL', 'VIRTUAL']);

const stockLocationDeliveryTimeEnum = z.enum(['TWO_IN_FOUR_DAYS', 'WITHIN_FOUR_HOURS', 'WITHIN_ONE_HOUR', 'WITHIN_PLUS_FIVE_DAYS', 'WITHIN_TWENTY_FOUR_HOURS', 'WITHIN_TWO_HOURS']);

const stockMovementKindEnum = z.enum(['OPENED', 'RECEIVED', 'SOLD', 'RETURNED', 'DAMAGED', 'COUNTED', 'MOVED', 'CORRECTED', 'IMPORTED']);

export const stockLocationAddressCityInput = z.object({
  id: text(255).nullish(),
  code: text(255).nullish(),
  name: trimmed(255).nullish(),
});
export type StockLocationAddressCityInput = z.output<typeof stockLocationAddressCityInput>;

export const stockLocationAddressCountryInput = z.object({
  id: text(255).nullish(),
  code: text(255).nullish(),
  iso2: text(255).nullish(),
  iso3: text(255).nullish(),
  name: trimmed(255).nullish(),
});
export type StockLocationAddressCountryInput = z.output<typeof stockLocationAddressCountryInput>;

export const stockLocationAddressDistrictInput = z.object({
  id: text(255).nullish(),
  code: text(255).nullish(),
  name: trimmed(255).nullish(),
});
export type StockLocationAddressDistrictInput = z.output<typeof stockLocationAddressDistrictInput>;

export const stockLocationAddressStateInput = z.object({
  id: text(255).nullish(),
  code: text(255).nullish(),
  name: trimmed(255).nullish(),
});
export type StockLocationAddressStateInput = z.output<typeof stockLocationAddressStateInput>;

export const stockLocationAddressInput = z.object({
  address: text().nullish(),
  phone: text(255).nullish(),
  postalCode: text(255).nullish(),
  city: stockLocationAddressCityInput.nullish(),
  country: stockLocationAddressCountryInput.nullish(),
  district: stockLocationAddressDistrictInput.nullish(),
  state: stockLocationAddressStateInput.nullish(),
});
export type StockLocationAddressInput = z.output<typeof stockLocationAddressInput>;

export const stockLocationTranslationInput = z.object({
  locale: name(35),
  description: text().nullish(),
});
export type StockLocationTranslationInput = z.output<typeof stockLocationTranslationInput>;

export const stockLocationInput = z.object({
  id: ownId(),
  name: name(255),
  type: stockLocationTypeEnum.nullish(),
  description: text().nullish(),
  address: stockLocationAddressInput.nullish(),
  outOfStockMailList: list(text(255), 1000).nullish(),
  isRemindOutOfStockEnabled: z.boolean().nullish(),
  deliveryTime: stockLocationDeliveryTimeEnum.nullish(),
  allowsNegativeStock: z.boolean().nullish(),
  translations: list(stockLocationTranslationInput, 1000).superRefine(distinct('locale')).nullish(),
  deleted: z.boolean().nullish(),
});
export type StockLocationInput = z.output<typeof stockLocationInput>;

export const productStockLocationInput = z.object({
  productId: id(),
  variantId: id(),
  stockLocationId: id(),
  stockCount: amount({ min: -1000000000000, max: 1000000000000 }),
  id: id().nullish(),
});
export type ProductStockLocationInput = z.output<typeof productStockLocationInput>;

export const saveStockLocationsInput = z.object({
  productStockLocationInputs: list(productStockLocationInput, 1000).nullish(),
});
export type SaveStockLocationsInput = z.output<typeof saveStockLocationsInput>;

export const adjustStockInput = z.object({
  productId: id(),
  variantId: id(),
  stockLocationId: id(),
  delta: amount({ min: -1000000000000, max: 1000000000000 }),
  kind: stockMovementKindEnum.nullish().transform((sent) => sent ?? "CORRECTED"),
  reason: text(1000).nullish(),
  reference: text(255, 1).nullish(),
  key: text(255, 1),
  expectedCount: amount({ min: -1000000000000, max: 1000000000000 }).nullish(),
  allowNegative: z.boolean().nullish(),
});
export type AdjustStockInput = z.output<typeof adjustStockInput>;

export const moveStockInput = z.object({
  productId: id(),
  variantId: id(),
  fromStockLocationId: id(),
  toStockLocationId: id(),
  quantity: amount({ max: 1000000000000 }),
  reason: text(1000).nullish(),
  reference: text(255, 1).nullish(),
  key: text(255, 1),
});
export type MoveStockInput = z.output<typeof moveStockInput>;

export const holdStockInput = z.object({
  productId: id().nullish(),
  variantId: id(),
  stockLocationId: id(),
  quantity: amount({ max: 1000000000000 }),
  key: text(255, 1),
  reference: text(255, 1).nullish(),
  expiresAt: instant(),
});
export type HoldStockInput = z.output<typeof holdStockInput>;

export const adjustStockInputList = list(adjustStockInput, 1000).superRefine(distinct('key'));

export const moveStockInputList = list(moveStockInput, 500).superRefine(distinct('key'));

export const holdStockInputList = list(holdStockInput, 1000).superRefine(distinct('key'));

// Written by `npm run codegen` from schema/category.graphql. Do not edit.
import { z } from 'zod';
import { distinct, id, list, name, ownId, text, trimmed } from '../../field-input.ts';
import { htmlMetaDataInput } from '../../page-metadata/generated/page-metadata-input.ts';

const categoryConditionTypeEnum = z.enum(['CAMPAIGN', 'CATEGORY', 'CREATED_AT', 'DISCOUNTED_PRODUCTS', 'PRICE_RANGE', 'PRODUCT_ATTRIBUTE', 'PRODUCT_BRAND', 'PRODUCT_NAME', 'PRODUCT_TAG', 'VARIANT_VALUE']);

const categoryConditionMethodEnum = z.enum(['IN', 'NOT_IN']);

const salesChannelStatusEnum = z.enum(['HIDDEN', 'VISIBLE', 'PASSIVE']);

const categoryProductsOrderTypeEnum = z.enum(['BEST_SELLER', 'HIGHEST_DISCOUNT_RATIO', 'HIGHEST_PRICE', 'LOWEST_DISCOUNT_RATIO', 'LOWEST_PRICE', 'MANUALLY', 'NAME_ASC', 'NAME_DESC', 'NEWEST', 'OLDEST']);

export const categoryConditionInput = z.object({
  conditionType: categoryConditionTypeEnum,
  method: categoryConditionMethodEnum.nullish(),
  valueList: list(text(255), 1000),
});
export type CategoryConditionInput = z.output<typeof categoryConditionInput>;

export const categorySalesChannelInput = z.object({
  id: id(),
  status: salesChannelStatusEnum,
});
export type CategorySalesChannelInput = z.output<typeof categorySalesChannelInput>;

export const categoryTranslationInput = z.object({
  locale: name(35),
  name: trimmed(255).nullish(),
  description: text().nullish(),
});
export type CategoryTranslationInput = z.output<typeof categoryTranslationInput>;

export const categoryInput = z.object({
  id: ownId(),
  name: name(255),
  conditions: list(categoryConditionInput, 1000).nullish(),
  description: text().nullish(),
  imageId: text(255).nullish(),
  isAutomated: z.boolean().nullish(),
  metaData: htmlMetaDataInput.nullish(),
  orderType: categoryProductsOrderTypeEnum.nullish(),
  parentId: id().nullish(),
  salesChannelIds: list(id(), 1000).nullish(),
  salesChannels: list(categorySalesChannelInput, 1000).superRefine(distinct('id')).nullish(),
  shouldMatchAllConditions: z.boolean().nullish(),
  translations: list(categoryTranslationInput, 1000).superRefine(distinct('locale')).nullish(),
  deleted: z.boolean().nullish(),
});
export type CategoryInput = z.output<typeof categoryInput>;

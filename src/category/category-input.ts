import { z } from 'zod';
import { productsOrderTypes } from '../../drizzle/category.ts';
import { distinct, id, MAX_NAME_LENGTH, name, nameAndDescription, ownId, text } from '../field-input.ts';
import { pageMetadataInput } from '../page-metadata/page-metadata-input.ts';

const conditionTypes = [
  'CAMPAIGN',
  'CATEGORY',
  'CREATED_AT',
  'DISCOUNTED_PRODUCTS',
  'PRICE_RANGE',
  'PRODUCT_ATTRIBUTE',
  'PRODUCT_BRAND',
  'PRODUCT_NAME',
  'PRODUCT_TAG',
  'VARIANT_VALUE',
] as const;

export const categoryCondition = z.object({
  conditionType: z.enum(conditionTypes),
  method: z.enum(['IN', 'NOT_IN']).nullish(),
  valueList: z.array(text(MAX_NAME_LENGTH)),
});

const salesChannel = z.object({ id: id(), status: z.enum(['HIDDEN', 'VISIBLE', 'PASSIVE']) });

export const categoryInput = z.object({
  id: ownId(),
  name: name(),
  conditions: z.array(categoryCondition).nullish(),
  description: text().nullish(),
  imageId: text(MAX_NAME_LENGTH).nullish(),
  isAutomated: z.boolean().nullish(),
  metaData: pageMetadataInput.nullish(),
  orderType: z.enum(productsOrderTypes).nullish(),
  parentId: id().nullish(),
  salesChannelIds: z.array(id()).nullish(),
  salesChannels: z.array(salesChannel).superRefine(distinct('id')).nullish(),
  shouldMatchAllConditions: z.boolean().nullish(),
  translations: nameAndDescription().nullish(),
  deleted: z.boolean().nullish(),
});

export type CategoryInput = z.infer<typeof categoryInput>;

// Written by `npm run codegen` from schema/brand.graphql. Do not edit.
import { z } from 'zod';
import { distinct, id, list, name, ownId, text, trimmed } from '../../field-input.ts';
import { htmlMetaDataInput } from '../../page-metadata/generated/page-metadata-input.ts';

const categoryProductsOrderTypeEnum = z.enum(['BEST_SELLER', 'HIGHEST_DISCOUNT_RATIO', 'HIGHEST_PRICE', 'LOWEST_DISCOUNT_RATIO', 'LOWEST_PRICE', 'MANUALLY', 'NAME_ASC', 'NAME_DESC', 'NEWEST', 'OLDEST']);

export const productBrandTranslationInput = z.object({
  locale: name(35),
  name: trimmed(255).nullish(),
  description: text().nullish(),
});
export type ProductBrandTranslationInput = z.output<typeof productBrandTranslationInput>;

export const productBrandInput = z.object({
  id: ownId(),
  name: name(255),
  description: text().nullish(),
  imageId: text(255).nullish(),
  metaData: htmlMetaDataInput.nullish(),
  orderType: categoryProductsOrderTypeEnum.nullish(),
  salesChannelIds: list(id(), 1000).nullish(),
  translations: list(productBrandTranslationInput, 1000).superRefine(distinct('locale')).nullish(),
  deleted: z.boolean().nullish(),
});
export type ProductBrandInput = z.output<typeof productBrandInput>;

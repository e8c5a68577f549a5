// Written by `npm run codegen` from schema/variant-type.graphql. Do not edit.
import { z } from 'zod';
import { distinct, id, list, name, ownId, text, trimmed } from '../../field-input.ts';

const variantSelectionTypeEnum = z.enum(['choice', 'color']);

export const variantValueTranslationInput = z.object({
  id: id(),
  name: trimmed(100).nullable().default(null),
});
export type VariantValueTranslationInput = z.output<typeof variantValueTranslationInput>;

export const variantTypeTranslationInput = z.object({
  locale: name(35),
  name: trimmed(100).nullable().default(null),
  values: list(variantValueTranslationInput, 1000).superRefine(distinct('id')).nullable().default(null),
});
export type VariantTypeTranslationInput = z.output<typeof variantTypeTranslationInput>;

export const variantValueInput = z.object({
  id: ownId(),
  name: name(100),
  colorCode: text(7).nullish(),
  thumbnailImageId: text(255).nullish(),
  deleted: z.boolean().nullish(),
});
export type VariantValueInput = z.output<typeof variantValueInput>;

export const variantTypeInput = z.object({
  id: ownId(),
  name: name(100),
  selectionType: variantSelectionTypeEnum,
  translations: list(variantTypeTranslationInput, 1000).superRefine(distinct('locale')).nullish(),
  values: list(variantValueInput, 2000).superRefine(distinct('id')),
  deleted: z.boolean().nullish(),
});
export type VariantTypeInput = z.output<typeof variantTypeInput>;

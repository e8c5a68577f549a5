// Written by `npm run codegen` from schema/tag.graphql. Do not edit.
import { z } from 'zod';
import { distinct, list, name, ownId, text, trimmed } from '../../field-input.ts';

export const productTagTranslationInput = z.object({
  locale: name(35),
  name: trimmed(255).nullish(),
  description: text().nullish(),
});
export type ProductTagTranslationInput = z.output<typeof productTagTranslationInput>;

export const productTagInput = z.object({
  id: ownId(),
  name: name(255),
  translations: list(productTagTranslationInput, 1000).superRefine(distinct('locale')).nullish(),
  deleted: z.boolean().nullish(),
});
export type ProductTagInput = z.output<typeof productTagInput>;

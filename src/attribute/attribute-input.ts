import { z } from 'zod';
import { productAttributeTypes } from '../../drizzle/attribute.ts';
import { optionList, optionTranslations } from '../option-list/option-list-input.ts';
import { MAX_NAME_LENGTH, name, ownId, text, translations } from '../field-input.ts';

const cells = z.array(z.object({ id: text(MAX_NAME_LENGTH), name: text(MAX_NAME_LENGTH) }));

export const attributeInput = z.object({
  id: ownId(),
  name: name(),
  type: z.enum(productAttributeTypes),
  description: text().nullish(),
  options: optionList(MAX_NAME_LENGTH).nullish(),
  tableTemplate: z.object({ columns: cells, rows: cells }).nullish(),
  translations: translations({
    name: text(MAX_NAME_LENGTH).nullish(),
    description: text().nullish(),
    options: optionTranslations(MAX_NAME_LENGTH).nullish(),
  }).nullish(),
  deleted: z.boolean().nullish(),
});

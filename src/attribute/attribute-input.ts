import { z } from 'zod';
import { productAttributeTypes } from '../../drizzle/attribute.ts';
import { choices, choiceTranslations } from '../option-list/option-list-input.ts';
import { NAME_MAX, name, ownId, text, translations } from '../field-input.ts';

const cells = z.array(z.object({ id: text(NAME_MAX), name: text(NAME_MAX) }));

export const attributeInput = z.object({
  id: ownId(),
  name: name(),
  type: z.enum(productAttributeTypes),
  description: text().nullish(),
  options: choices(NAME_MAX).nullish(),
  tableTemplate: z.object({ columns: cells, rows: cells }).nullish(),
  translations: translations({
    name: text(NAME_MAX).nullish(),
    description: text().nullish(),
    options: choiceTranslations(NAME_MAX).nullish(),
  }).nullish(),
  deleted: z.boolean().nullish(),
});

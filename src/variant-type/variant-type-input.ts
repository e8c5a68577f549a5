import { z } from 'zod';
import { optionList, optionTranslations } from '../option-list/option-list-input.ts';
import { name, ownId, text, translations } from '../field-input.ts';

/** Names are shown on buttons and in lists, where there is little room. The SDL says so too. */
export const MAX_VARIANT_NAME_LENGTH = 100;

export const variantTypeInput = z.object({
  id: ownId(),
  name: name(MAX_VARIANT_NAME_LENGTH),
  selectionType: z.enum(['choice', 'color']),
  translations: translations({
    name: text(MAX_VARIANT_NAME_LENGTH).nullish(),
    values: optionTranslations(MAX_VARIANT_NAME_LENGTH).nullish(),
  }).nullish(),
  values: optionList(MAX_VARIANT_NAME_LENGTH).superRefine((values, context) => {
    const names = new Set<string>();
    for (const [index, { name, deleted }] of values.entries()) {
      if (deleted) continue;
      if (names.has(name)) context.addIssue({ code: 'custom', path: [index, 'name'], message: 'must not occur twice' });
      names.add(name);
    }
    if (names.size === 0) context.addIssue('must have at least one value that is not deleted');
  }),
  deleted: z.boolean().nullish(),
});

import { z } from 'zod';
import { choices, choiceTranslations } from '../option-list/option-list-input.ts';
import { name, ownId, text, translations } from '../field-input.ts';

/** Shown on buttons and in lists of a product page, where long ones have no room. */
export const VARIANT_NAME_MAX = 100;

export const variantTypeInput = z.object({
  id: ownId(),
  name: name(VARIANT_NAME_MAX),
  selectionType: z.enum(['choice', 'color']),
  translations: translations({
    name: text(VARIANT_NAME_MAX).nullish(),
    values: choiceTranslations(VARIANT_NAME_MAX).nullish(),
  }).nullish(),
  values: choices(VARIANT_NAME_MAX).superRefine((values, context) => {
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

import { z } from 'zod';
import { MAX_COLOR_CODE_LENGTH, distinct, id, MAX_NAME_LENGTH, name, ownId, text } from '../field-input.ts';

/** What a variant type or an attribute offers to pick from: a value, an option. */
export function choices(nameMax: number) {
  return z
    .array(
      z.object({
        id: ownId(),
        name: name(nameMax),
        colorCode: text(MAX_COLOR_CODE_LENGTH).nullish(),
        thumbnailImageId: text(MAX_NAME_LENGTH).nullish(),
        deleted: z.boolean().nullish(),
      }),
    )
    .superRefine(distinct('id'));
}

/** Their names in another language. */
export function choiceTranslations(nameMax: number) {
  return z.array(z.object({ id: id(), name: text(nameMax).nullish() })).superRefine(distinct('id'));
}

export type ChoiceInput = z.infer<ReturnType<typeof choices>>[number];

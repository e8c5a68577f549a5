import { z } from 'zod';
import { MAX_COLOR_CODE_LENGTH, distinct, id, MAX_NAME_LENGTH, name, ownId, text } from '../field-input.ts';

/** The values of a variant type, or the options of an attribute. */
export function optionList(nameMax: number) {
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

/** Translated names of options. */
export function optionTranslations(nameMax: number) {
  return z.array(z.object({ id: id(), name: text(nameMax).nullish() })).superRefine(distinct('id'));
}

export type OptionInput = z.infer<ReturnType<typeof optionList>>[number];

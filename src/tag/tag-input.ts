import { z } from 'zod';
import { name, nameAndDescription, ownId } from '../field-input.ts';

export const tagInput = z.object({
  id: ownId(),
  name: name(),
  translations: nameAndDescription().nullish(),
  deleted: z.boolean().nullish(),
});

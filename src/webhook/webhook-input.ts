import { z } from 'zod';
import { id, text, URL_MAX } from '../field-input.ts';

/** Every scope there is fits many times; more is no list of scopes. */
const SCOPES_MAX = 100;

export const webhookInput = z.object({
  endpoint: text(URL_MAX),
  scopes: z
    .array(text())
    .min(1, 'must name at least one scope')
    .max(SCOPES_MAX, `must have at most ${SCOPES_MAX} entries`),
  salesChannelIds: z.array(id()).nullish(),
});

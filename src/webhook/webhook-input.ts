import { z } from 'zod';
import { id, text, MAX_URL_LENGTH } from '../field-input.ts';

/** Bounds the list before its entries are compared with the scopes, of which there are fewer than ten. */
const MAX_SCOPES = 100;

export const webhookInput = z.object({
  endpoint: text(MAX_URL_LENGTH),
  scopes: z
    .array(text())
    .min(1, 'must name at least one scope')
    .max(MAX_SCOPES, `must have at most ${MAX_SCOPES} entries`),
  salesChannelIds: z.array(id()).nullish(),
});

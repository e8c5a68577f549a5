import { webhookInput as members } from './generated/webhook-input.ts';

/** Bounds the list before its entries are compared with the scopes, of which there are fewer than ten. */
const MAX_SCOPES = 100;

export const webhookInput = members.extend({
  scopes: members.shape.scopes
    .min(1, 'must name at least one scope')
    .max(MAX_SCOPES, `must have at most ${MAX_SCOPES} entries`),
});

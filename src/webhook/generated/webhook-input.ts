// Written by `npm run codegen` from schema/webhook.graphql. Do not edit.
import { z } from 'zod';
import { id, text } from '../../field-input.ts';

export const webhookInput = z.object({
  endpoint: text(2048),
  scopes: z.array(text()),
  salesChannelIds: z.array(id()).nullish(),
  includeChanges: z.boolean().nullish(),
});
export type WebhookInput = z.output<typeof webhookInput>;

// Written by `npm run codegen` from schema/webhook.graphql. Do not edit.
import { z } from 'zod';
import { id, list, text } from '../../field-input.ts';

export const webhookInput = z.object({
  endpoint: text(2048),
  scopes: list(text(), 1000),
  salesChannelIds: list(id(), 1000).nullish(),
  includeChanges: z.boolean().nullish(),
});
export type WebhookInput = z.output<typeof webhookInput>;

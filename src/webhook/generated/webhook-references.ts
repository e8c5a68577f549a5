// Written by `npm run codegen` from @reference in schema/webhook.graphql. Do not edit.
import type { Reference } from '../../db/write/references.ts';

export const webhookReferences = {
  WebhookInput: [
    { path: 'salesChannelIds[]', to: 'SalesChannel' },
  ],
} satisfies Record<string, readonly Reference[]>;

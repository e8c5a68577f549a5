import type { DomainResolvers } from '../graphql/domain-resolvers.ts';
import { selection } from '../graphql/selection.ts';
import { deleteWebhook } from './deleteWebhook.ts';
import { listWebhook } from './listWebhook.ts';
import { listWebhookDelivery } from './listWebhookDelivery.ts';
import { redeliverWebhook } from './redeliverWebhook.ts';
import { redeliverWebhookRange } from './redeliverWebhookRange.ts';
import { saveWebhook } from './saveWebhook.ts';
import { testWebhook } from './testWebhook.ts';

export const webhookResolvers = {
  Query: {
    listWebhook: (_, __, ctx, info) => listWebhook(ctx, selection(info)),
    listWebhookDelivery: (_, args, ctx, info) => listWebhookDelivery(ctx, args, selection(info)),
  },
  Mutation: {
    saveWebhook: (_, args, ctx, info) => saveWebhook(ctx, args, selection(info)),
    deleteWebhook: (_, args, ctx) => deleteWebhook(ctx, args),
    redeliverWebhook: (_, args, ctx) => redeliverWebhook(ctx, args),
    redeliverWebhookRange: (_, args, ctx) => redeliverWebhookRange(ctx, args),
    testWebhook: (_, args, ctx) => testWebhook(ctx, args),
  },
} satisfies DomainResolvers;

import type { DomainResolvers } from '../graphql/schema/domain-resolvers.ts';
import { preparedResolver } from '../graphql/schema/preparation.ts';
import { deleteWebhook } from './deleteWebhook.ts';
import { explainWebhook } from './explainWebhook.ts';
import { explainWebhookList } from './explainWebhookList.ts';
import { listWebhook } from './listWebhook.ts';
import { listWebhookDelivery } from './listWebhookDelivery.ts';
import { listWebhookEvent } from './listWebhookEvent.ts';
import { redeliverWebhook } from './redeliverWebhook.ts';
import { redeliverWebhookDeliveryList } from './redeliverWebhookDeliveryList.ts';
import { redeliverWebhookDeliveryRange } from './redeliverWebhookDeliveryRange.ts';
import { redeliverWebhookRange } from './redeliverWebhookRange.ts';
import { resumeWebhook } from './resumeWebhook.ts';
import { checkWebhook, saveWebhook } from './saveWebhook.ts';
import { testWebhook } from './testWebhook.ts';

export const webhookResolvers = {
  Query: {
    explainWebhook: (_, args, ctx) => explainWebhook(ctx, args),
    explainWebhookList: (_, args, ctx) => explainWebhookList(ctx, args),
    listWebhook: (_, args, ctx, info) => listWebhook(ctx, args, info.selection),
    listWebhookDelivery: (_, args, ctx, info) => listWebhookDelivery(ctx, args, info.selection),
    listWebhookEvent: (_, args, ctx) => listWebhookEvent(ctx, args),
  },
  Mutation: {
    saveWebhook: preparedResolver(
      (args, ctx) => checkWebhook(ctx, args),
      (checked, args, ctx, info) => saveWebhook(ctx, args, info.selection, checked),
    ),
    deleteWebhook: (_, args, ctx) => deleteWebhook(ctx, args),
    redeliverWebhook: (_, args, ctx) => redeliverWebhook(ctx, args),
    redeliverWebhookRange: (_, args, ctx) => redeliverWebhookRange(ctx, args),
    redeliverWebhookDeliveryList: (_, args, ctx) => redeliverWebhookDeliveryList(ctx, args),
    redeliverWebhookDeliveryRange: (_, args, ctx) => redeliverWebhookDeliveryRange(ctx, args),
    resumeWebhook: (_, args, ctx, info) => resumeWebhook(ctx, args, info.selection),
    testWebhook: preparedResolver(
      (args, ctx) => testWebhook(ctx, args),
      async (sent, args, ctx) => sent ?? (await testWebhook(ctx, args)),
      { sends: true },
    ),
  },
} satisfies DomainResolvers;

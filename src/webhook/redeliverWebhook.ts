import type { Context } from '../context.ts';
import type { MutationRedeliverWebhookArgs } from '../graphql/generated/types.ts';
import { redeliverWebhookDeliveryList } from './redeliverWebhookDeliveryList.ts';

export async function redeliverWebhook(ctx: Context, args: MutationRedeliverWebhookArgs): Promise<boolean> {
  await redeliverWebhookDeliveryList(ctx, args);
  return true;
}

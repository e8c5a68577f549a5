import type { Context } from '../context.ts';
import type { MutationRedeliverWebhookRangeArgs } from '../graphql/generated/types.ts';
import { redeliverWebhookDeliveryRange } from './redeliverWebhookDeliveryRange.ts';

export async function redeliverWebhookRange(ctx: Context, args: MutationRedeliverWebhookRangeArgs): Promise<boolean> {
  await redeliverWebhookDeliveryRange(ctx, args);
  return true;
}

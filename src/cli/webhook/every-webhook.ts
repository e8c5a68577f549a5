import type { Context } from '../../context.ts';
import { selectFields } from '../../values/select-fields.ts';
import type { QueryListWebhookArgs, Webhook } from '../../graphql/generated/types.ts';
import { listWebhook } from '../../webhook/listWebhook.ts';

const PAGE_SIZE = 200;

const SELECTION = {
  ...selectFields('id authorizedAppId appName scope endpoint status pausedAt createdAt'),
  health: selectFields('requestCount successRate durationP95Ms oldestPendingAt lastSuccessAt lastFailureAt'),
};

export type ListedWebhook = Pick<
  Webhook,
  'id' | 'authorizedAppId' | 'appName' | 'scope' | 'endpoint' | 'status' | 'pausedAt' | 'createdAt' | 'health'
>;

/** All webhooks of the merchant, or of one app, newest first. */
export async function everyWebhook(ctx: Context, app: { eq: string } | null): Promise<ListedWebhook[]> {
  const all: ListedWebhook[] = [];
  for (let page = 1; ; page++) {
    const args = { authorizedAppId: app, pagination: { page, limit: PAGE_SIZE } };
    const found = await listWebhook(ctx, args as QueryListWebhookArgs, SELECTION);
    all.push(...found);
    if (found.length < PAGE_SIZE) return all;
  }
}

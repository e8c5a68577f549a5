import { sql } from 'drizzle-orm';
import { webhook, webhookDelivery } from '../../drizzle/webhook.ts';
import type { Context } from '../context.ts';
import { idArray, textArray } from '../db/sql/parameter.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { conflict, notFound } from '../errors.ts';
import { queueDeliveries, type QueuedDelivery } from './queue-deliveries.ts';
import type { WebhookScope } from './webhook-scope.ts';

/**
 * Queues those of the deliveries of which no request is under way or still to come, and those that were
 * meant for another endpoint than the app has for the scope now. They get up to three requests again, to
 * that endpoint, which their log then has behind the earlier ones.
 */
export async function requeue(ctx: Context, scopes: readonly WebhookScope[], ids: readonly string[]): Promise<void> {
  await checkWebhooks(ctx, scopes);
  const { state, claimedAt, nextAttemptAt } = webhookDelivery;
  const queued = await ctx.db.execute<QueuedDelivery>(sql`
    update ${webhookDelivery} set
      webhook_id = ${webhook.id}, endpoint = ${webhook.endpoint}, state = 'PENDING', attempts = 0, claimed_at = null, next_attempt_at = now()
    from ${webhook}
    where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.id} = any(${idArray(ids)})
      and (${state} <> 'PENDING' or (${claimedAt} is null and (
        ${nextAttemptAt} is null or ${webhookDelivery.webhookId} <> ${webhook.id} or ${webhookDelivery.endpoint} <> ${webhook.endpoint})))
      and ${ownedBy(ctx, webhook)} and ${webhook.authorizedAppId} = ${ctx.session.authorizedAppId} and ${webhook.scope} = ${webhookDelivery.scope}
    returning ${webhookDelivery.id} as "id", ${webhookDelivery.endpoint} as "endpoint"`);
  // A worker that has settled one a moment ago and is about to remove its job finds that it is not its own any more.
  await queueDeliveries(ctx, queued, { owned: true });
}

/** Held against a pause and a removal in the same moment. */
async function checkWebhooks(ctx: Context, scopes: readonly WebhookScope[]): Promise<void> {
  const registered = await ctx.db.execute<{ scope: WebhookScope; status: string }>(sql`
    select ${webhook.scope} as "scope", ${webhook.status} as "status" from ${webhook}
    where ${ownedBy(ctx, webhook)} and ${webhook.authorizedAppId} = ${ctx.session.authorizedAppId} and ${webhook.scope} = any(${textArray(scopes)})
    order by ${webhook.id} for share`);
  const missing = scopes.filter((scope) => !registered.some((row) => row.scope === scope));
  if (missing.length > 0) throw notFound('Webhook', missing);
  const paused = registered.filter(({ status }) => status === 'PAUSED').map(({ scope }) => scope);
  if (paused.length > 0)
    throw conflict(`The webhook is paused: ${paused.join(', ')}. Save it again first.`, { scopes: paused });
}

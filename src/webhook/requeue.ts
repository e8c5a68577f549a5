import { and, eq, sql } from 'drizzle-orm';
import { webhook, webhookDelivery } from '../../drizzle/webhook.ts';
import type { Context } from '../context.ts';
import { idArray, textArray } from '../db/sql/parameter.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { conflict, notFound } from '../errors.ts';
import { queueDeliveries, type QueuedDelivery } from './ledger/queue-deliveries.ts';
import type { WebhookScope } from './webhook-scope.ts';

/**
 * Queues deliveries again, for the endpoint that the app has for the scope now, with up to three new requests. Leaves
 * alone those with a request under way, and pending ones that are due for that endpoint anyway.
 */
export async function requeue(ctx: Context, scopes: readonly WebhookScope[], ids: readonly string[]): Promise<void> {
  await checkWebhooks(ctx, scopes);
  const { state, claimedAt, nextAttemptAt } = webhookDelivery;
  const queued = await ctx.db.execute<QueuedDelivery>(sql`
    update ${webhookDelivery} set
      webhook_id = ${webhook.id}, endpoint = ${webhook.endpoint}, state = 'PENDING', attempts = 0, claimed_at = null,
        next_attempt_at = now()
    from ${webhook}
    where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.id} = any(${idArray(ids)})
      and (${state} <> 'PENDING' or (${claimedAt} is null and (
        ${nextAttemptAt} is null or ${webhookDelivery.webhookId} <> ${webhook.id}
          or ${webhookDelivery.endpoint} <> ${webhook.endpoint})))
      and ${ownedBy(ctx, webhook)} and ${webhook.authorizedAppId} = ${ctx.session.authorizedAppId}
      and ${webhook.scope} = ${webhookDelivery.scope}
    returning ${webhookDelivery.id} as "id", ${webhookDelivery.endpoint} as "endpoint"`);
  // `owned`: a worker that has just settled a delivery and is about to remove its job loses the job here.
  await queueDeliveries(ctx, queued, { owned: true });
}

/** Locks the webhooks against a concurrent pause or deletion. */
async function checkWebhooks(ctx: Context, scopes: readonly WebhookScope[]): Promise<void> {
  const { id, scope, status, authorizedAppId } = webhook;
  const isOwn = and(ownedBy(ctx, webhook), eq(authorizedAppId, ctx.session.authorizedAppId));
  const registered = await ctx.db
    .select({ scope, status })
    .from(webhook)
    .where(and(isOwn, sql`${scope} = any(${textArray(scopes)})`))
    .orderBy(id)
    .for('share');
  const missing = scopes.filter((scope) => !registered.some((row) => row.scope === scope));
  if (missing.length > 0) throw notFound('Webhook', missing);
  const paused = registered.filter(({ status }) => status === 'PAUSED').map(({ scope }) => scope);
  if (paused.length > 0)
    throw conflict(`The webhook is paused: ${paused.join(', ')}. Save it again first.`, { scopes: paused });
}

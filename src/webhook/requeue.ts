import { sql } from 'drizzle-orm';
import { webhook, webhookDelivery, type WebhookScope, webhookScopes } from '../../drizzle/webhook.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { idArray, ownedBy, textArray } from '../db/sql/parameter.ts';
import { moment } from '../db/sql/timestamp.ts';
import { type CommerceError, conflict, type InputPath, notFound } from '../errors.ts';
import type { WebhookRedelivery } from '../graphql/generated/types.ts';
import { isClaimed, oldestClaim } from './ledger/claim-lapse.ts';
import { queueDeliveries } from './ledger/queue-deliveries.ts';

/** The app and scope of deliveries: together they have at most one webhook. */
export type Registration = { authorizedAppId: string; scope: WebhookScope };

/**
 * Queues deliveries again, for the endpoint that their app has for the scope now, with up to three new requests. Leaves
 * alone pending ones that are for that endpoint anyway. One with a request under way to another endpoint is queued when
 * that is settled or its claim has lapsed. A request under way to the same endpoint still counts, although its webhook
 * was deleted and registered again. `registrations`: those of the deliveries; each must have an active webhook. `path`:
 * the argument that tells them.
 */
export async function requeue(
  ctx: Context,
  registrations: readonly Registration[],
  ids: readonly string[],
  path: InputPath,
): Promise<WebhookRedelivery> {
  await checkWebhooks(ctx, registrations, path);
  const { state, attempts, claimedAt, nextAttemptAt } = webhookDelivery;
  const isSameEndpoint = sql`${webhookDelivery.endpoint} = ${webhook.endpoint}`;
  const requeued = await readRows(
    ctx,
    { id: column.text, endpoint: column.text, isClaimed: column.boolean },
    sql`
    update ${webhookDelivery} set
      webhook_id = ${webhook.id}, endpoint = ${webhook.endpoint}, state = 'PENDING',
      attempts = case when ${isClaimed} and ${isSameEndpoint} then ${attempts} else 0 end,
      next_attempt_at = case when ${isClaimed} then ${nextAttemptAt} else moment.at end
    from ${webhook}, ${moment}, ${oldestClaim}
    where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.id} = any(${idArray(ids)})
      and (${state} <> 'PENDING' or (${claimedAt} is null and ${nextAttemptAt} is null)
        or ${webhookDelivery.webhookId} <> ${webhook.id} or not ${isSameEndpoint})
      and ${ownedBy(ctx, webhook)} and ${webhook.authorizedAppId} = ${webhookDelivery.authorizedAppId}
      and ${webhook.scope} = ${webhookDelivery.scope}
    returning ${webhookDelivery.id} as "id", ${webhookDelivery.endpoint} as "endpoint",
      ${isClaimed} as "isClaimed"`,
  );
  // `owned`: a worker that has just settled a delivery and is about to remove its job loses the job here.
  await queueDeliveries(
    ctx,
    requeued.filter((delivery) => !delivery.isClaimed),
    { owned: true },
  );
  return { queuedCount: requeued.length, unchangedCount: ids.length - requeued.length };
}

/** Locks the webhooks against a concurrent pause or deletion. */
async function checkWebhooks(ctx: Context, registrations: readonly Registration[], path: InputPath): Promise<void> {
  const appIds = idArray(registrations.map((one) => one.authorizedAppId));
  const { id, authorizedAppId, scope, status } = webhook;
  const found = await readRows(
    ctx,
    { id: column.text, authorizedAppId: column.text, scope: column.oneOf(webhookScopes), status: column.text },
    sql`
    select ${id} as "id", ${authorizedAppId} as "authorizedAppId", ${scope} as "scope", ${status} as "status"
    from ${webhook}
    where ${ownedBy(ctx, webhook)} and ${authorizedAppId} = any(${appIds})
      and ${scope} = any(${textArray(registrations.map((one) => one.scope))})
    order by ${webhook.id} for share`,
  );
  const missing = scopesOf(registrations.filter((one) => !found.some((row) => isSame(row, one))));
  if (missing.length > 0) throw notFound('Webhook', missing, path);
  const paused = found.filter((row) => row.status === 'PAUSED' && registrations.some((one) => isSame(row, one)));
  if (paused.length > 0) throw pausedConflict(paused);
}

/** `webhookIds`: for clients that name their own way to resume a webhook, as the command and the console do. */
function pausedConflict(paused: readonly (Registration & { id: string })[]): CommerceError {
  const scopes = scopesOf(paused);
  const webhookIds = paused.map(({ id }) => id);
  const calls = webhookIds.map((id) => `resumeWebhook(id: "${id}")`).join(', ');
  return conflict(`The webhook is paused: ${scopes.join(', ')}. Resume it first: ${calls}.`, { scopes, webhookIds });
}

function isSame(one: Registration, other: Registration): boolean {
  return one.authorizedAppId === other.authorizedAppId && one.scope === other.scope;
}

function scopesOf(registrations: readonly Registration[]): WebhookScope[] {
  return [...new Set(registrations.map(({ scope }) => scope))];
}

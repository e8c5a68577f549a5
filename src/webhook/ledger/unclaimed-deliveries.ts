import { type SQL, sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';
import { webhook, webhookDelivery } from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { idArray } from '../../db/sql/parameter.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { moment } from '../../db/sql/timestamp.ts';
import { MAX_ATTEMPTS } from '../../limits/retry-policy.ts';
import { logWithInterrupted, logWithReason } from './attempt-log.ts';
import { claimLapsesAt, isNotClaimed } from './claim-lapse.ts';
import { FAILURE_REASONS } from './failure-reason.ts';
import { appMayRead } from './read-scopes.ts';

type Waiting = { id: string; endpoint: string; dueInMs: number };

/** Deliveries that can never be sent, by the reason in their logs. */
export type Unsendable = { reason: string; ids: string[] };

/**
 * Handles queued deliveries that could not be claimed. Marks those as failed that can never be sent: the app is
 * revoked or has lost the scope, the webhook is gone, or the last attempt was interrupted. Returns those, and those that
 * wait, with the time until they are due: 0 if only the limit of bytes kept them out of the claim. The others are
 * settled or paused.
 */
export async function failUnsendable(
  ctx: MerchantContext,
  ids: readonly string[],
): Promise<{ waiting: Waiting[]; unsendable: Unsendable[] }> {
  const unsendable = [
    { reason: FAILURE_REASONS.interrupted, ids: await failInterrupted(ctx, ids) },
    // Before those of deleted webhooks: a revocation deletes the app's webhooks.
    { reason: FAILURE_REASONS.appRevoked, ids: await failRevoked(ctx, ids) },
    { reason: FAILURE_REASONS.webhookDeleted, ids: await failDeleted(ctx, ids) },
    { reason: FAILURE_REASONS.scopeMissing, ids: await failUnreadable(ctx, ids) },
  ].filter(({ ids }) => ids.length > 0);
  const waiting = await readRows(
    ctx,
    { id: column.text, endpoint: column.text, dueInMs: column.number },
    sql`
    select ${webhookDelivery.id} as "id", ${webhookDelivery.endpoint} as "endpoint",
      (extract(epoch from greatest(${webhookDelivery.nextAttemptAt}, ${claimLapsesAt}, now()) - now()) * 1000)::float8
        as "dueInMs"
    from ${webhookDelivery} join ${webhook} on ${ownedBy(ctx, webhook)} and ${webhook.id} = ${webhookDelivery.webhookId}
    where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.id} = any(${idArray(ids)})
      and ${webhookDelivery.state} = 'PENDING'
      and ${webhook.status} = 'ACTIVE'`,
  );
  return { waiting, unsendable };
}

async function failInterrupted(ctx: MerchantContext, ids: readonly string[]): Promise<string[]> {
  return await failed(
    ctx,
    sql`
    update ${webhookDelivery} set state = 'FAILED', claimed_at = null, attempt_log = ${logWithInterrupted}
    where ${isUnclaimed(ctx, ids)} and ${webhookDelivery.attempts} >= ${sql.raw(String(MAX_ATTEMPTS))}`,
  );
}

async function failRevoked(ctx: MerchantContext, ids: readonly string[]): Promise<string[]> {
  return await failed(
    ctx,
    sql`
    update ${webhookDelivery}
    set state = 'FAILED', claimed_at = null, attempt_log = ${logWithReason(FAILURE_REASONS.appRevoked)}
    from ${moment}
    where ${isUnclaimed(ctx, ids)} and not exists (
      select from ${authorizedApp}
      where ${ownedBy(ctx, authorizedApp)} and ${authorizedApp.id} = ${webhookDelivery.authorizedAppId}
        and ${authorizedApp.revokedAt} is null)`,
  );
}

async function failDeleted(ctx: MerchantContext, ids: readonly string[]): Promise<string[]> {
  return await failed(
    ctx,
    sql`
    update ${webhookDelivery}
    set state = 'FAILED', claimed_at = null, attempt_log = ${logWithReason(FAILURE_REASONS.webhookDeleted)}
    from ${moment}
    where ${isUnclaimed(ctx, ids)} and not exists (
      select from ${webhook} where ${ownedBy(ctx, webhook)} and ${webhook.id} = ${webhookDelivery.webhookId})`,
  );
}

async function failUnreadable(ctx: MerchantContext, ids: readonly string[]): Promise<string[]> {
  return await failed(
    ctx,
    sql`
    update ${webhookDelivery}
    set state = 'FAILED', claimed_at = null, attempt_log = ${logWithReason(FAILURE_REASONS.scopeMissing)}
    from ${authorizedApp}, ${moment}
    where ${isUnclaimed(ctx, ids)}
      and ${ownedBy(ctx, authorizedApp)} and ${authorizedApp.id} = ${webhookDelivery.authorizedAppId}
      and not (${appMayRead})`,
  );
}

/** Runs the update, and returns the ids of its rows. */
async function failed(ctx: MerchantContext, update: SQL): Promise<string[]> {
  const rows = await readRows(ctx, { id: column.text }, sql`${update} returning ${webhookDelivery.id} as "id"`);
  return rows.map(({ id }) => id);
}

function isUnclaimed(ctx: MerchantContext, ids: readonly string[]): SQL {
  return sql`${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.id} = any(${idArray(ids)})
    and ${webhookDelivery.state} = 'PENDING' and ${isNotClaimed}`;
}

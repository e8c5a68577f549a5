import { type SQL, sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';
import { webhook, webhookDelivery } from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readIds, readRows } from '../../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { moment } from '../../db/sql/timestamp.ts';
import { MAX_ATTEMPTS } from '../../limits/retry-policy.ts';
import { logWithInterrupted, logWithReason } from './attempt-log.ts';
import { isOpen } from './claim-deliveries.ts';
import { claimLapsesAt, isNotClaimed } from './claim-lapse.ts';
import { FAILURE_REASONS } from './failure-reason.ts';
import { appMayRead } from './record-kinds.ts';

type Waiting = { id: string; endpoint: string; dueInMs: number };

/** Deliveries that can never be sent, by the reason in their logs. */
export type Unsendable = { reason: string; ids: string[] };

const hadAllAttempts = sql`${webhookDelivery.attempts} >= ${sql.raw(String(MAX_ATTEMPTS))}`;

/**
 * Handles queued deliveries that could not be claimed. Marks those as failed that can never be sent: the app is
 * revoked or has lost the scope, the webhook is gone, or the last attempt was interrupted. Returns those, and those that
 * wait, with the time until they are due: 0 if only the limit of bytes kept them out of the claim, or the claim was late
 * and undone. The others are settled or paused.
 */
export async function failUnsendable(
  ctx: MerchantContext,
  ids: readonly string[],
): Promise<{ waiting: Waiting[]; unsendable: Unsendable[] }> {
  const unsendable = [
    await fail(ctx, ids, FAILURE_REASONS.interrupted, hadAllAttempts),
    // Before those of deleted webhooks: a revocation deletes the app's webhooks.
    await fail(
      ctx,
      ids,
      FAILURE_REASONS.appRevoked,
      sql`not exists (${appOf(ctx)} and ${authorizedApp.revokedAt} is null)`,
    ),
    await fail(ctx, ids, FAILURE_REASONS.webhookDeleted, sql`not exists (${webhookOf(ctx)})`),
    await fail(ctx, ids, FAILURE_REASONS.scopeMissing, sql`exists (${appOf(ctx)} and not (${appMayRead}))`),
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
      and ${isOpen}`,
  );
  return { waiting, unsendable };
}

/** Marks those as failed that no worker holds and that meet the condition. */
async function fail(ctx: MerchantContext, ids: readonly string[], reason: string, condition: SQL): Promise<Unsendable> {
  const log = reason === FAILURE_REASONS.interrupted ? logWithInterrupted : logWithReason(reason);
  const failed = await readIds(
    ctx,
    sql`
    update ${webhookDelivery} set state = 'FAILED', claimed_at = null, attempt_log = ${log}
    from ${moment}
    where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.id} = any(${idArray(ids)})
      and ${webhookDelivery.state} = 'PENDING' and ${isNotClaimed} and ${condition}
    returning ${webhookDelivery.id} as "id"`,
  );
  return { reason, ids: failed };
}

function appOf(ctx: MerchantContext): SQL {
  return sql`
    select from ${authorizedApp}
    where ${ownedBy(ctx, authorizedApp)} and ${authorizedApp.id} = ${webhookDelivery.authorizedAppId}`;
}

function webhookOf(ctx: MerchantContext): SQL {
  return sql`select from ${webhook} where ${ownedBy(ctx, webhook)} and ${webhook.id} = ${webhookDelivery.webhookId}`;
}

import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/app.ts';
import { webhook, webhookDelivery } from '../../drizzle/webhook.ts';
import type { Context } from '../context.ts';
import { idArray } from '../db/sql/parameter.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { logWithInterrupted, logWithReason } from './attempt-log.ts';
import { ATTEMPTS_MAX, CLAIM_LAPSES_AFTER_S } from './claim-deliveries.ts';
import { appMayRead } from './webhook-scope.ts';

type Waiting = { id: string; endpoint: string; dueInMs: number };

/** In the log of a delivery whose app has lost the read scope of the record. */
const SCOPE_MISSING = 'scope missing';

/**
 * Decides about deliveries that were queued and could not be claimed. Those without a webhook, those whose app
 * has lost the scope, and those whose last attempt was interrupted are given up. Those that wait are answered
 * with the time until they are due: 0 when only the limit of a claim's bytes was in the way. The rest need
 * nothing.
 */
export async function judgeUnclaimed(
  ctx: Pick<Context, 'db' | 'merchantId'>,
  ids: readonly string[],
): Promise<Waiting[]> {
  await giveUp(ctx, ids);
  await giveUpUnreadable(ctx, ids);
  const rows = await ctx.db.execute<Waiting>(sql`
    select ${webhookDelivery.id} as "id", ${webhookDelivery.endpoint} as "endpoint",
      (extract(epoch from greatest(
        ${webhookDelivery.nextAttemptAt},
        ${webhookDelivery.claimedAt} + make_interval(secs => ${sql.raw(String(CLAIM_LAPSES_AFTER_S))}), now()) - now()) * 1000)::float8 as "dueInMs"
    from ${webhookDelivery} join ${webhook} on ${ownedBy(ctx, webhook)} and ${webhook.id} = ${webhookDelivery.webhookId}
    where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.id} = any(${idArray(ids)}) and ${webhookDelivery.state} = 'PENDING'
      and ${webhook.status} = 'ACTIVE'`);
  return rows;
}

const isOver = sql`(${webhookDelivery.claimedAt} is null or ${webhookDelivery.claimedAt} < now() - make_interval(secs => ${sql.raw(String(CLAIM_LAPSES_AFTER_S))}))`;

async function giveUp(ctx: Pick<Context, 'db' | 'merchantId'>, ids: readonly string[]): Promise<void> {
  await ctx.db.execute(sql`
    update ${webhookDelivery} set state = 'FAILED', claimed_at = null, attempt_log = ${logWithInterrupted}
    where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.id} = any(${idArray(ids)}) and ${webhookDelivery.state} = 'PENDING' and ${isOver}
      and (${webhookDelivery.attempts} >= ${sql.raw(String(ATTEMPTS_MAX))}
        or not exists (select from ${webhook} where ${ownedBy(ctx, webhook)} and ${webhook.id} = ${webhookDelivery.webhookId})
        or not exists (
          select from ${authorizedApp}
          where ${ownedBy(ctx, authorizedApp)} and ${authorizedApp.id} = ${webhookDelivery.authorizedAppId} and ${authorizedApp.revokedAt} is null))`);
}

async function giveUpUnreadable(ctx: Pick<Context, 'db' | 'merchantId'>, ids: readonly string[]): Promise<void> {
  await ctx.db.execute(sql`
    update ${webhookDelivery} set state = 'FAILED', claimed_at = null, attempt_log = ${logWithReason(SCOPE_MISSING)}
    from ${authorizedApp}
    where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.id} = any(${idArray(ids)}) and ${webhookDelivery.state} = 'PENDING' and ${isOver}
      and ${ownedBy(ctx, authorizedApp)} and ${authorizedApp.id} = ${webhookDelivery.authorizedAppId} and not (${appMayRead})`);
}

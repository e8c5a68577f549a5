import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/app.ts';
import { webhook, webhookDelivery } from '../../drizzle/webhook.ts';
import type { Context } from '../context.ts';
import { idList } from '../db/parameter.ts';
import { of } from '../db/tenant.ts';
import { logWithInterrupted } from './attempt-log.ts';
import { ATTEMPTS_MAX, CLAIM_LAPSES_AFTER_S } from './claimDeliveries.ts';

type Waiting = { id: string; endpoint: string; dueInMs: number };

/**
 * What becomes of deliveries that were queued and could not be claimed. Those without a webhook, and
 * those whose last attempt was interrupted, are given up; those that come too early are answered
 * with the time they are due; the rest need nobody's attention.
 */
export async function judgeUnclaimed(ctx: Pick<Context, 'db' | 'merchantId'>, ids: readonly string[]): Promise<Waiting[]> {
  await giveUp(ctx, ids);
  const rows = await ctx.db.execute<Waiting>(sql`
    select ${webhookDelivery.id} as "id", ${webhookDelivery.endpoint} as "endpoint",
      (extract(epoch from greatest(
        ${webhookDelivery.nextAttemptAt},
        ${webhookDelivery.claimedAt} + make_interval(secs => ${sql.raw(String(CLAIM_LAPSES_AFTER_S))}), now()) - now()) * 1000)::float8 as "dueInMs"
    from ${webhookDelivery} join ${webhook} on ${of(ctx, webhook)} and ${webhook.id} = ${webhookDelivery.webhookId}
    where ${of(ctx, webhookDelivery)} and ${webhookDelivery.id} = any(${idList(ids)}) and ${webhookDelivery.state} = 'PENDING'
      and ${webhook.status} = 'ACTIVE'`);
  return rows;
}

async function giveUp(ctx: Pick<Context, 'db' | 'merchantId'>, ids: readonly string[]): Promise<void> {
  const isOver = sql`${webhookDelivery.claimedAt} is null or ${webhookDelivery.claimedAt} < now() - make_interval(secs => ${sql.raw(String(CLAIM_LAPSES_AFTER_S))})`;
  await ctx.db.execute(sql`
    update ${webhookDelivery} set state = 'FAILED', claimed_at = null, attempt_log = ${logWithInterrupted}
    where ${of(ctx, webhookDelivery)} and ${webhookDelivery.id} = any(${idList(ids)}) and ${webhookDelivery.state} = 'PENDING' and (${isOver})
      and (${webhookDelivery.attempts} >= ${sql.raw(String(ATTEMPTS_MAX))}
        or not exists (select from ${webhook} where ${of(ctx, webhook)} and ${webhook.id} = ${webhookDelivery.webhookId})
        or not exists (
          select from ${authorizedApp}
          where ${of(ctx, authorizedApp)} and ${authorizedApp.id} = ${webhookDelivery.authorizedAppId} and ${authorizedApp.revokedAt} is null))`);
}

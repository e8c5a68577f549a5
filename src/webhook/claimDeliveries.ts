import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/app.ts';
import { webhook, webhookDelivery } from '../../drizzle/webhook.ts';
import type { Context } from '../context.ts';
import { milliseconds } from '../db/milliseconds.ts';
import { idList } from '../db/parameter.ts';
import { of } from '../db/tenant.ts';
import { logWithInterrupted } from './attempt-log.ts';

/** HTTP requests for a delivery each time it is queued, and never one more. */
export const ATTEMPTS_MAX = 3;
/** Longer than an attempt takes. A claim that is older was interrupted: whoever made it is gone. */
export const CLAIM_LAPSES_AFTER_S = 15;

export type ClaimedDelivery = {
  id: string;
  webhookId: string;
  authorizedAppId: string;
  scope: string;
  endpoint: string;
  sequence: number;
  data: string;
  createdAt: number;
  /** Which of the attempts this is; the first is 1. */
  attempt: number;
  clientSecretEncrypted: string;
};

type LedgerContext = Pick<Context, 'db' | 'merchantId'>;

const lapsed = sql`${webhookDelivery.claimedAt} < now() - make_interval(secs => ${sql.raw(String(CLAIM_LAPSES_AFTER_S))})`;

/**
 * Counts an attempt for each delivery that may have one now, before the request goes out. Whatever
 * crashes afterwards, there are as many claims as requests or more. What is not answered may not be sent.
 */
export async function claimDeliveries(ctx: LedgerContext, ids: readonly string[]): Promise<ClaimedDelivery[]> {
  return await ctx.db.execute<ClaimedDelivery>(sql`
    update ${webhookDelivery}
    set attempts = ${webhookDelivery.attempts} + 1, claimed_at = now(), attempt_log = ${logWithInterrupted}
    from ${webhook}, ${authorizedApp}
    where ${of(ctx, webhookDelivery)} and ${webhookDelivery.id} = any(${idList(ids)})
      and ${webhookDelivery.state} = 'PENDING' and ${webhookDelivery.attempts} < ${sql.raw(String(ATTEMPTS_MAX))}
      and (${webhookDelivery.nextAttemptAt} is null or ${webhookDelivery.nextAttemptAt} <= now())
      and (${webhookDelivery.claimedAt} is null or ${lapsed})
      and ${of(ctx, webhook)} and ${webhook.id} = ${webhookDelivery.webhookId} and ${webhook.status} = 'ACTIVE'
      and ${of(ctx, authorizedApp)} and ${authorizedApp.id} = ${webhookDelivery.authorizedAppId} and ${authorizedApp.revokedAt} is null
    returning ${webhookDelivery.id} as "id", ${webhookDelivery.webhookId} as "webhookId", ${webhookDelivery.authorizedAppId} as "authorizedAppId",
      ${webhookDelivery.scope} as "scope", ${webhookDelivery.endpoint} as "endpoint", ${webhookDelivery.sequence} as "sequence",
      ${webhookDelivery.data} as "data", ${milliseconds(webhookDelivery.createdAt)} as "createdAt", ${webhookDelivery.attempts} as "attempt",
      ${authorizedApp.clientSecretEncrypted} as "clientSecretEncrypted"`);
}

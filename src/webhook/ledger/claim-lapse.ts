import { sql } from 'drizzle-orm';
import { webhookDelivery } from '../../../drizzle/webhook.ts';

/** Longer than an attempt takes. The worker that made an older claim is gone, and its attempt was interrupted. */
export const CLAIM_LAPSE_S = 15;

const lapse = sql`make_interval(secs => ${sql.raw(String(CLAIM_LAPSE_S))})`;

/** The time of the oldest claims that have not lapsed, as an item of FROM, for the same reason as `moment`. */
export const oldestClaim = sql`(select now() - ${lapse} as claimed_at) as oldest_claim`;

/** A worker holds a claim on the delivery. The statement must have `oldestClaim` in FROM. */
export const isClaimed = sql`(${webhookDelivery.claimedAt} >= oldest_claim.claimed_at) is true`;

/** When another worker may claim the delivery; null if no worker holds it. */
export const claimLapsesAt = sql`${webhookDelivery.claimedAt} + ${lapse}`;

/** No worker holds a claim on the delivery. */
export const isNotClaimed = sql`(${webhookDelivery.claimedAt} is null
  or ${webhookDelivery.claimedAt} < now() - ${lapse})`;

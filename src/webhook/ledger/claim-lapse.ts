import { sql } from 'drizzle-orm';
import { webhookDelivery } from '../../../drizzle/webhook.ts';

/** Longer than an attempt takes. The worker that made an older claim is gone, and its attempt was interrupted. */
export const CLAIM_LAPSE_S = 15;

const lapse = sql`make_interval(secs => ${sql.raw(String(CLAIM_LAPSE_S))})`;

/** A worker holds a claim on the delivery at the time of `moment`, which the statement must have in FROM. */
export const isClaimed = sql`(${webhookDelivery.claimedAt} >= moment.at - ${lapse}) is true`;

/** When another worker may claim the delivery; null if no worker holds it. */
export const claimLapsesAt = sql`${webhookDelivery.claimedAt} + ${lapse}`;

/** No worker holds a claim on the delivery. */
export const isNotClaimed = sql`(${webhookDelivery.claimedAt} is null
  or ${webhookDelivery.claimedAt} < now() - ${lapse})`;

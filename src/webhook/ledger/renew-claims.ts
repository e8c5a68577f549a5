import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';
import { webhook, webhookDelivery } from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { type ClaimedDelivery, mayBeSent } from './claim-deliveries.ts';

/**
 * Starts the time of claims again, after which they lapse. Returns the ids of the deliveries that are still claimed by
 * the caller and may still be sent: another worker that has claimed one since has counted another attempt.
 */
export async function renewClaims(
  ctx: MerchantContext,
  claimed: readonly Pick<ClaimedDelivery, 'id' | 'attempt'>[],
): Promise<Set<string>> {
  const claims = JSON.stringify(claimed.map(({ id, attempt }) => ({ id, attempt })));
  const renewed = await readRows(
    ctx,
    { id: column.text },
    sql`
    update ${webhookDelivery} set claimed_at = now()
    from json_to_recordset(${claims}::json) as claim(id uuid, attempt int), ${webhook}, ${authorizedApp}
    where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.id} = claim.id
      and ${webhookDelivery.attempts} = claim.attempt
      and ${webhookDelivery.claimedAt} is not null and ${webhookDelivery.state} = 'PENDING'
      and ${mayBeSent(ctx)}
    returning ${webhookDelivery.id} as "id"`,
  );
  return new Set(renewed.map(({ id }) => id));
}

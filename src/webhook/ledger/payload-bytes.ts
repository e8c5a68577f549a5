import { sql } from 'drizzle-orm';
import { webhookDelivery } from '../../../drizzle/webhook.ts';

/** What a delivery keeps for its body. */
export const payloadBytes = sql`(octet_length(${webhookDelivery.data})
  + coalesce(octet_length(${webhookDelivery.details}::text), 0)
  + coalesce(octet_length(${webhookDelivery.changes}::text), 0))`;

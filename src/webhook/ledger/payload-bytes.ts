import { sql } from 'drizzle-orm';
import { webhookDelivery } from '../../../drizzle/webhook.ts';

/** SQL expression: the bytes of the texts of a delivery from which the body of its requests is made. */
export const payloadBytes = sql`(octet_length(${webhookDelivery.data})
  + coalesce(octet_length(${webhookDelivery.details}::text), 0)
  + coalesce(octet_length(${webhookDelivery.changes}::text), 0))`;

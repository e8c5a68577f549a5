import { sql } from 'drizzle-orm';
import type { Database } from '../../db/connection/database.ts';

/** The queue of jobs that wake workers for deliveries. */
export const DELIVERY_QUEUE = 'webhook-delivery';

/** Without this row the triggers refuse every change that a webhook is registered for. */
export async function hasDeliveryQueue(db: Database): Promise<boolean> {
  return (await db.execute(sql`select from pgboss.queue where name = ${DELIVERY_QUEUE}`)).length === 1;
}

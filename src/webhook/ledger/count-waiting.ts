import { sql } from 'drizzle-orm';
import { webhookDelivery } from '../../../drizzle/webhook.ts';
import type { Database } from '../../db/connection/connect.ts';

/** Counting more takes longer and tells the operator nothing new. */
const MAX_COUNTED = 100_000;

/** Counts the pending deliveries of all merchants, with the partial index on them. */
export async function countWaiting(db: Database): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`
    select count(*)::int as "count"
    from (select from ${webhookDelivery} where ${webhookDelivery.state} = 'PENDING'
      limit ${sql.raw(String(MAX_COUNTED))}) waiting`);
  return row!.count;
}

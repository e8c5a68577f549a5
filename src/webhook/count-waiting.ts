import { sql } from 'drizzle-orm';
import { webhookDelivery } from '../../drizzle/webhook.ts';
import type { Database } from '../db/connection/connect.ts';

/** More are as bad, and take longer to count. */
const COUNTED_MAX = 100_000;

/** Deliveries of all merchants that are still to be made, by the index that has only these. */
export async function countWaiting(db: Database): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`
    select count(*)::int as "count"
    from (select from ${webhookDelivery} where ${webhookDelivery.state} = 'PENDING' limit ${sql.raw(String(COUNTED_MAX))}) waiting`);
  return row!.count;
}

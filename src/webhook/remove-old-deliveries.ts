import { type SQL, sql } from 'drizzle-orm';
import { webhookDelivery } from '../../drizzle/webhook.ts';
import type { Database } from '../db/connection/connect.ts';
import { ownedBy } from '../db/sql/tenant.ts';

/** Few enough that removing them holds nobody up. */
const BATCH_SIZE = 1_000;

export type Retention = { readonly keepDeliveredDays: number; readonly keepFailedDays: number };

/**
 * Removes the deliveries of all merchants that have been kept for long enough, and tells how many. What
 * waits because of a pause is kept like what failed. Two that do it at once do no harm.
 */
export async function removeOldDeliveries(
  db: Database,
  { keepDeliveredDays, keepFailedDays }: Retention,
): Promise<number> {
  const { state, createdAt, nextAttemptAt } = webhookDelivery;
  const delivered = await removeOlder(db, sql`${state} = 'DELIVERED'`, keepDeliveredDays);
  const failed = await removeOlder(db, sql`${state} = 'FAILED'`, keepFailedDays);
  // One that was queued again lately is still to be sent.
  const isForgotten = sql`${state} = 'PENDING' and coalesce(${nextAttemptAt}, ${createdAt}) < now() - make_interval(days => ${keepFailedDays}::integer)`;
  const waiting = await removeOlder(db, isForgotten, keepFailedDays);
  return delivered + failed + waiting;
}

async function removeOlder(db: Database, condition: SQL, days: number): Promise<number> {
  let removed = 0;
  for (;;) {
    const oldest = await oldestOf(db, condition, days);
    for (const { merchantId, until } of oldest) removed += await removeUntil(db, merchantId, condition, until);
    if (oldest.reduce((sum, { count }) => sum + count, 0) < BATCH_SIZE) return removed;
  }
}

type Oldest = { merchantId: string; until: string; count: number };

async function oldestOf(db: Database, condition: SQL, days: number): Promise<Oldest[]> {
  return await db.execute<Oldest>(sql`
    select oldest.merchant_id as "merchantId", max(oldest.created_at)::text as "until", count(*)::int as "count"
    from (
      select ${webhookDelivery.merchantId}, ${webhookDelivery.createdAt} from ${webhookDelivery}
      where ${condition} and ${webhookDelivery.createdAt} < now() - make_interval(days => ${days}::integer)
      order by ${webhookDelivery.createdAt} limit ${sql.raw(String(BATCH_SIZE))}
    ) as oldest
    group by oldest.merchant_id`);
}

async function removeUntil(db: Database, merchantId: string, condition: SQL, until: string): Promise<number> {
  const rows = await db.execute(sql`
    delete from ${webhookDelivery}
    where ${ownedBy({ merchantId }, webhookDelivery)} and ${condition} and ${webhookDelivery.createdAt} <= ${until}::timestamptz
    returning ${webhookDelivery.id}`);
  return rows.length;
}

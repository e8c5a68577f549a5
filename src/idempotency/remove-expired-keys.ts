import { sql } from 'drizzle-orm';
import { idempotencyKey, idempotencyUsage } from '../../drizzle/idempotency.ts';
import type { Database } from '../db/connection/connect.ts';
import { ownedBy } from '../db/sql/tenant.ts';

/** Few enough that removing them holds nobody up. */
const BATCH_SIZE = 1_000;

/** Removes the keys of all merchants whose time is over, and tells how many. Two that do it at once do no harm. */
export async function removeExpiredKeys(db: Database): Promise<number> {
  await removeExpired(db, idempotencyUsage);
  return await removeExpired(db, idempotencyKey);
}

type ExpiringTable = typeof idempotencyKey | typeof idempotencyUsage;

async function removeExpired(db: Database, table: ExpiringTable): Promise<number> {
  let removed = 0;
  for (;;) {
    const oldest = await oldestExpired(db, table);
    for (const { merchantId, until } of oldest) removed += await removeUntil(db, table, merchantId, until);
    if (oldest.reduce((sum, { count }) => sum + count, 0) < BATCH_SIZE) return removed;
  }
}

type Oldest = { merchantId: string; until: string; count: number };

async function oldestExpired(db: Database, table: ExpiringTable): Promise<Oldest[]> {
  return await db.execute<Oldest>(sql`
    select oldest.merchant_id as "merchantId", max(oldest.expires_at)::text as "until", count(*)::int as "count"
    from (
      select ${table.merchantId}, ${table.expiresAt} from ${table}
      where ${table.expiresAt} <= now()
      order by ${table.expiresAt} limit ${sql.raw(String(BATCH_SIZE))}
    ) as oldest
    group by oldest.merchant_id`);
}

async function removeUntil(db: Database, table: ExpiringTable, merchantId: string, until: string): Promise<number> {
  const rows = await db.execute(sql`
    delete from ${table}
    where ${ownedBy({ merchantId }, table)} and ${table.expiresAt} <= ${until}::timestamptz
    returning ${table.merchantId}`);
  return rows.length;
}

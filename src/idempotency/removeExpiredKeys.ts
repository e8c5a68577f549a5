import { sql } from 'drizzle-orm';
import { idempotencyKey } from '../../drizzle/idempotency.ts';
import type { Database } from '../db/connect.ts';
import { of } from '../db/tenant.ts';

/** Few enough that removing them holds nobody up. */
const BATCH_SIZE = 1_000;

/** Removes the keys of all merchants whose time is over, and tells how many. Two that do it at once do no harm. */
export async function removeExpiredKeys(db: Database): Promise<number> {
  let removed = 0;
  for (;;) {
    const oldest = await oldestExpired(db);
    for (const { merchantId, until } of oldest) removed += await removeUntil(db, merchantId, until);
    if (oldest.reduce((sum, { count }) => sum + count, 0) < BATCH_SIZE) return removed;
  }
}

type Oldest = { merchantId: string; until: string; count: number };

async function oldestExpired(db: Database): Promise<Oldest[]> {
  return await db.execute<Oldest>(sql`
    select oldest.merchant_id as "merchantId", max(oldest.expires_at)::text as "until", count(*)::int as "count"
    from (
      select ${idempotencyKey.merchantId}, ${idempotencyKey.expiresAt} from ${idempotencyKey}
      where ${idempotencyKey.expiresAt} <= now()
      order by ${idempotencyKey.expiresAt} limit ${sql.raw(String(BATCH_SIZE))}
    ) as oldest
    group by oldest.merchant_id`);
}

async function removeUntil(db: Database, merchantId: string, until: string): Promise<number> {
  const rows = await db.execute(sql`
    delete from ${idempotencyKey}
    where ${of({ merchantId }, idempotencyKey)} and ${idempotencyKey.expiresAt} <= ${until}::timestamptz
    returning ${idempotencyKey.merchantId}`);
  return rows.length;
}

import { sql } from 'drizzle-orm';
import { idempotencyKey, idempotencyUsage } from '../../drizzle/idempotency.ts';
import type { Database } from '../db/connection/connect.ts';
import { deleteOldest } from '../db/write/delete-oldest.ts';

/** Removes the expired keys of all merchants, and returns their number. */
export async function removeExpiredKeys(db: Database): Promise<number> {
  await removeExpired(db, idempotencyUsage);
  return await removeExpired(db, idempotencyKey);
}

async function removeExpired(db: Database, table: typeof idempotencyKey | typeof idempotencyUsage): Promise<number> {
  return await deleteOldest(db, { table, time: table.expiresAt, isDue: sql`${table.expiresAt} <= now()` });
}

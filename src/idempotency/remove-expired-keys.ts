import { sql } from 'drizzle-orm';
import { idempotencyKey, idempotencyUsage } from '../../drizzle/idempotency.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { deleteOldest } from '../db/across/delete-oldest.ts';

/** Removes the expired keys of all merchants, and returns their number. */
export async function removeExpiredKeys(ctx: AcrossContext, signal?: AbortSignal): Promise<number> {
  await removeExpired(ctx, idempotencyUsage, signal);
  return await removeExpired(ctx, idempotencyKey, signal);
}

async function removeExpired(
  ctx: AcrossContext,
  table: typeof idempotencyKey | typeof idempotencyUsage,
  signal?: AbortSignal,
): Promise<number> {
  return await deleteOldest(ctx, { table, time: table.expiresAt, isDue: sql`${table.expiresAt} <= now()` }, signal);
}

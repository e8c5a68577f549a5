import { sql } from 'drizzle-orm';
import { stockHold } from '../../../drizzle/stock-hold.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { deleteOldest } from '../../db/across/delete-oldest.ts';

/**
 * Removes the ended holds of all merchants, that many days after the time at which they would have ended by themselves,
 * and returns their number.
 */
export async function removeOldHolds(ctx: AcrossContext, keepDays: number, signal?: AbortSignal): Promise<number> {
  const isDue = sql`${stockHold.expiresAt} < now() - make_interval(days => ${keepDays}::integer)`;
  const where = sql`${stockHold.status} <> 'ACTIVE'`;
  return await deleteOldest(ctx, { table: stockHold, time: stockHold.expiresAt, isDue, where }, signal);
}

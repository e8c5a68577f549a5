import { sql } from 'drizzle-orm';
import { stockKey } from '../../../drizzle/stock-key.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { deleteOldest } from '../../db/across/delete-oldest.ts';

/** Days in which a key counts once. The SDL documents them. */
const KEEP_DAYS = 90;

/** Removes the keys of all merchants that may be used again, and returns their number. */
export async function removeOldStockKeys(ctx: AcrossContext, signal?: AbortSignal): Promise<number> {
  const isDue = sql`${stockKey.createdAt} < now() - make_interval(days => ${KEEP_DAYS}::integer)`;
  return await deleteOldest(ctx, { table: stockKey, time: stockKey.createdAt, isDue }, signal);
}

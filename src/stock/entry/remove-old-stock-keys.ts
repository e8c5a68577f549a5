import { sql } from 'drizzle-orm';
import { stockKey } from '../../../drizzle/stock-key.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { deleteOldest } from '../../db/across/delete-oldest.ts';

/**
 * Hours in which a key counts once: the 90 days of the SDL. The day on which summer time begins has 23 hours.
 */
const KEEP_HOURS = 90 * 24;

/** Removes the keys of all merchants that may be used again, and returns their number. */
export async function removeOldStockKeys(ctx: AcrossContext, signal?: AbortSignal): Promise<number> {
  const isDue = sql`${stockKey.createdAt} < now() - make_interval(hours => ${KEEP_HOURS}::integer)`;
  return await deleteOldest(ctx, { table: stockKey, time: stockKey.createdAt, isDue }, signal);
}

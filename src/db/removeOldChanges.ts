import { sql } from 'drizzle-orm';
import { catalogueChange } from '../../drizzle/catalogue-change.ts';
import type { Database } from './connect.ts';
import { of } from './tenant.ts';

/**
 * Removes what transactions below a number have changed, and answers the number below which all have ended by
 * now, for the next call. Not by the clock: long after it has changed something a transaction may end, and only
 * then anybody learns of it.
 */
export async function removeOldChanges(db: Database, endedBefore: string | null): Promise<string> {
  await removeBefore(db, endedBefore ?? '0');
  const [horizon] = await db.execute<{ xmin: string }>(sql`select pg_snapshot_xmin(pg_current_snapshot())::text as "xmin"`);
  return horizon!.xmin;
}

async function removeBefore(db: Database, transaction: string): Promise<void> {
  const { merchantId, transactionId } = catalogueChange;
  // A transaction that is still to come has written nothing: that row was restored from another server's backup.
  const isOld = sql`(${transactionId} < ${transaction}::text::xid8 or ${transactionId} >= pg_snapshot_xmax(pg_current_snapshot()))`;
  const merchants = await db.execute<{ id: string }>(sql`select distinct ${merchantId} as "id" from ${catalogueChange} where ${isOld}`);
  for (const { id } of merchants) await db.execute(sql`delete from ${catalogueChange} where ${of({ merchantId: id }, catalogueChange)} and ${isOld}`);
}

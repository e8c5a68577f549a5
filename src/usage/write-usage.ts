import { clientOperation, schemaUsage } from '../../drizzle/usage.ts';
import type { MerchantContext } from '../context.ts';
import { type DatabaseContext, ofMerchant } from '../db/connection/database.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { isConnectionLost } from '../db/errors/connection-lost.ts';
import { insertOrAdd, type InsertedRow, upsert } from '../db/write/write.ts';
import { chooseOperations } from './choose-operations.ts';
import { type AppUsage, OTHER_OPERATIONS, type UsageCounts } from './usage-counts.ts';

type CountRow = InsertedRow<typeof schemaUsage>;

/**
 * Adds the counts to those in the database, merchant by merchant, so that each statement concerns one merchant. Counts
 * that could not be written stay in memory. If the connection is lost before Postgres confirms a write, its counts may
 * be added twice.
 */
export async function writeUsage({ db }: DatabaseContext, counts: UsageCounts): Promise<void> {
  let failure: { error: unknown } | null = null;
  for (const [merchantId, usages] of Map.groupBy(counts.take(), ({ merchantId }) => merchantId)) {
    try {
      // Without a connection the statements of the other merchants would fail too, each only after its time limit.
      if (failure && isConnectionLost(failure.error)) throw failure.error;
      await writeMerchantUsage({ db: ofMerchant(db, merchantId), merchantId }, usages);
    } catch (error) {
      failure = { error };
      counts.putBack(usages);
    }
  }
  if (failure) throw failure.error;
}

/**
 * Writes the counts last, in one statement. The writes before it have the same effect if they are repeated after a
 * failure.
 */
async function writeMerchantUsage(ctx: MerchantContext, usages: readonly AppUsage[]): Promise<void> {
  const { kept, changed } = await chooseOperations(ctx, usages);
  await pipeline(ctx, upsert(ctx, clientOperation, ['authorizedAppId', 'operation'], changed));
  const rows = countRows(usages, kept);
  await pipeline(
    ctx,
    insertOrAdd(
      ctx,
      schemaUsage,
      { key: ['authorizedAppId', 'day', 'coordinate', 'operation'], count: 'requests' },
      rows,
    ),
  );
}

/** The rows in the order of their key. All nodes lock rows in this order, so that they cannot deadlock. */
function countRows(usages: readonly AppUsage[], kept: ReadonlyMap<string, ReadonlySet<string>>): CountRow[] {
  const rows = new Map<string, CountRow>();
  for (const { authorizedAppId, dayMs, operations } of usages) {
    const day = new Date(dayMs).toISOString();
    const add = (coordinate: string, operation: string, requests: number): void => {
      const key = `${authorizedAppId} ${day} ${coordinate} ${operation}`;
      const known = rows.get(key)?.requests ?? 0;
      rows.set(key, { authorizedAppId, day, coordinate, operation, requests: known + requests });
    };
    for (const [id, { coordinates, requests, inVariables }] of operations) {
      const operation = kept.get(authorizedAppId)?.has(id) ? id : OTHER_OPERATIONS;
      for (const coordinate of coordinates) add(coordinate, operation, requests);
      for (const [coordinate, count] of inVariables) add(coordinate, operation, count);
    }
  }
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

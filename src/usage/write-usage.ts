import { sql } from 'drizzle-orm';
import { clientOperation, schemaUsage } from '../../drizzle/usage.ts';
import type { MerchantContext } from '../context.ts';
import { type DatabaseContext, ofMerchant } from '../db/connection/database.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { isConnectionLost } from '../db/errors/connection-lost.ts';
import { insertOrMerge, type InsertedRow, upsert } from '../db/write/write.ts';
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
    insertOrMerge(
      ctx,
      schemaUsage,
      {
        key: ['authorizedAppId', 'day', 'operation'],
        member: 'requests',
        merge: (stored, sent) => sql`summed_counts(${stored}, ${sent})`,
      },
      rows,
    ),
  );
}

/** The rows in the order of their key. All nodes lock rows in this order, so that they cannot deadlock. */
function countRows(usages: readonly AppUsage[], kept: ReadonlyMap<string, ReadonlySet<string>>): CountRow[] {
  const rows = new Map<string, CountRow & { requests: Record<string, number> }>();
  for (const { authorizedAppId, dayMs, operations } of usages) {
    const day = new Date(dayMs).toISOString();
    for (const [id, { coordinates, requests, inVariables }] of operations) {
      const operation = kept.get(authorizedAppId)?.has(id) ? id : OTHER_OPERATIONS;
      const key = `${authorizedAppId} ${day} ${operation}`;
      const row = rows.get(key) ?? { authorizedAppId, day, operation, requests: {} };
      rows.set(key, row);
      const add = (coordinate: string, count: number): void => {
        row.requests[coordinate] = (row.requests[coordinate] ?? 0) + count;
      };
      for (const coordinate of coordinates) add(coordinate, requests);
      for (const [coordinate, count] of inVariables) add(coordinate, count);
    }
  }
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

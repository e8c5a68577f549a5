import type { Logger } from '../../context.ts';
import type { Database } from '../../db/connection/database.ts';
import { oldestSnapshot } from '../../db/connection/oldest-snapshot.ts';

/**
 * A snapshot past both limits keeps Postgres from removing dead rows, which slows down the tables that change most:
 * the queue and the deliveries.
 */
const MAX_SNAPSHOT_AGE_MS = 10 * 60_000;
const MAX_SNAPSHOT_TRANSACTIONS = 10_000;

/**
 * Warns once of each long-held snapshot, whoever holds it. pg-boss could do so too, but only with the right to write
 * all its tables.
 */
export function snapshotWatch(log: Logger, maxAgeMs = MAX_SNAPSHOT_AGE_MS): (db: Database) => Promise<void> {
  let held: { xmin: string; sinceMs: number; isReported: boolean } | null = null;
  return async (db) => {
    const oldest = await oldestSnapshot(db);
    if (oldest?.xmin !== held?.xmin)
      held = oldest && { xmin: oldest.xmin, sinceMs: performance.now(), isReported: false };
    if (!oldest || !held || held.isReported) return;
    const isPastLimits =
      performance.now() - held.sinceMs >= maxAgeMs && oldest.transactions >= MAX_SNAPSHOT_TRANSACTIONS;
    if (!isPastLimits) return;
    held.isReported = true;
    log.warn(oldest, 'an old snapshot keeps Postgres from removing old versions of rows, which makes webhooks slower');
  };
}

import type { Logger } from '../../context.ts';
import type { Database } from '../../db/connection/connect.ts';
import { oldestSnapshot } from '../../db/connection/oldest-snapshot.ts';

/** A snapshot that is older, in time and in transactions, makes the tables that change most slower: those of the queue and of deliveries. */
const HELD_MAX_MS = 10 * 60_000;
const TRANSACTIONS_MAX = 10_000;

/** Warns once of each snapshot that is held for long, by whomever. The queue's own supervision would do so, but has to write its tables. */
export function openSnapshotWatch(db: Database, log: Logger, heldMaxMs = HELD_MAX_MS): () => Promise<void> {
  let held: { xmin: string; sinceMs: number; isTold: boolean } | null = null;
  return async () => {
    const oldest = await oldestSnapshot(db);
    if (oldest?.xmin !== held?.xmin) held = oldest && { xmin: oldest.xmin, sinceMs: performance.now(), isTold: false };
    if (
      !oldest ||
      !held ||
      held.isTold ||
      oldest.transactions < TRANSACTIONS_MAX ||
      performance.now() - held.sinceMs < heldMaxMs
    )
      return;
    held.isTold = true;
    log.warn(oldest, 'an old snapshot keeps Postgres from removing old versions of rows, which makes webhooks slower');
  };
}

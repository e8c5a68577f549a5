import { sql } from 'drizzle-orm';
import { expect, inject, vi } from 'vitest';
import type { Database } from '../../src/db/connection/database.ts';

const LOCKED_WITHIN_MS = 20_000;

/**
 * Waits until at least `count` statements wait for a lock. On a cluster they wait on the node of their merchant, which
 * the coordinator's pg_stat_activity does not show.
 */
export async function waitForLocks(db: Database, count: number): Promise<void> {
  const waiting = inject('isCluster')
    ? sql`select distinct waiting_gpid from citus_lock_waits`
    : sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const counted = async (): Promise<number> => (await db.execute(waiting)).length;
  await expect.poll(counted, { timeout: LOCKED_WITHIN_MS }).toBeGreaterThanOrEqual(count);
}

/** Waits until a statement waits for a lock of this transaction. Also for tests that run at the same time. */
export async function waitForBlocked(transaction: Database): Promise<void> {
  const blocked = sql`select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))`;
  await vi.waitUntil(async () => (await transaction.execute(blocked)).length > 0, { timeout: LOCKED_WITHIN_MS });
}

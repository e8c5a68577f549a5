import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../context.ts';
import type { Database } from '../db/connection/database.ts';
import type { UsageCounts } from '../usage/usage-counts.ts';
import { writeUsage } from '../usage/write-usage.ts';
import { startInterval } from './interval.ts';
import { logFailure } from './log-failure.ts';

/** A crash loses the counts of this time. Each write has a row for each count, so longer intervals cost less. */
const WRITE_INTERVAL_MS = 5 * 60_000;
/** A stop does not wait longer for the last write. */
const LAST_WRITE_MS = 5_000;
const TASK = 'writeUsage';

/** Writes the counts at intervals, earlier if they take much memory, and when it is stopped. */
export function startUsageWriter(db: Database, counts: UsageCounts, log: Logger): { stop(): Promise<void> } {
  const write = async (): Promise<void> => await writeUsage({ db }, counts);
  const interval = startInterval(write, { name: TASK, intervalMs: WRITE_INTERVAL_MS, log });
  counts.onFull = () => interval.wake();
  return {
    stop: async () => {
      const last = interval.stop().then(write);
      const logged = last.catch((error: unknown) => logFailure(log, 'warn', error, TASK));
      // Without `ref: false` the process would end when the time is over, although nothing waits for it.
      await Promise.race([logged, wait(LAST_WRITE_MS, undefined, { ref: false })]);
    },
  };
}

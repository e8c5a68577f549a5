import { setTimeout as wait } from 'node:timers/promises';
import { type Database, withSpan } from '../db/connection/database.ts';
import type { Span, Tracing } from '../tracing/span.ts';
import type { UsageCounts } from '../usage/usage-counts.ts';
import { writeUsage } from '../usage/write-usage.ts';
import { startInterval } from './interval.ts';
import { type FailureReports, logFailure } from './log-failure.ts';

/** A crash loses the counts of one interval. A write has a row for each count, so that longer intervals cost less. */
const WRITE_INTERVAL_MS = 5 * 60_000;
/** How long a stop waits for the last write. */
const LAST_WRITE_MS = 5_000;
const TASK = 'writeUsage';

/** Writes the counts to the database at intervals, earlier if they take much memory, and once more at the stop. */
export function startUsageWriter(
  db: Database,
  counts: UsageCounts,
  { tracing, ...reports }: FailureReports & { tracing?: Tracing | undefined },
): { stop(): Promise<void> } {
  const write = async (span: Span | null): Promise<void> => await writeUsage({ db: withSpan(db, span) }, counts);
  const interval = startInterval((_, span) => write(span), {
    name: TASK,
    intervalMs: WRITE_INTERVAL_MS,
    tracing,
    ...reports,
  });
  counts.onFull = () => interval.wake();
  return {
    stop: async () => {
      const last = interval.stop().then(() => write(null));
      const logged = last.catch((error: unknown) => logFailure(reports, 'warn', error, TASK));
      // `ref: false`: otherwise this timer would keep the process alive after the write has finished.
      await Promise.race([logged, wait(LAST_WRITE_MS, undefined, { ref: false })]);
    },
  };
}

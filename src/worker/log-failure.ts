import type { Logger } from '../context.ts';
import { isDatabaseUnavailable } from '../db/errors/database-error.ts';

/** Where failures are reported. `background` counts them for /metrics. */
export type FailureReports = {
  readonly log: Logger;
  readonly background?:
    | { countFailure(work: string): void; setFailing(work: string, isFailing: boolean): void }
    | undefined;
};

/**
 * Logs and counts a failure after which the work is tried again. OutageLog writes one line for all failures of an outage,
 * which are not counted: they would hide those of single tasks.
 */
export function logFailure(
  { log, background }: FailureReports,
  level: 'warn' | 'error',
  error: unknown,
  work: string,
): void {
  const isOutage = isDatabaseUnavailable(error);
  if (!isOutage) background?.countFailure(work);
  log[isOutage ? 'debug' : level]({ err: error, work }, 'will be tried again');
}

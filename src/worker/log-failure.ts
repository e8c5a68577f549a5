import type { Logger } from '../context.ts';
import { isDatabaseUnavailable } from '../db/errors/database-error.ts';

/** Logs a failure after which the work is tried again. OutageLog writes one line for all failures of an outage. */
export function logFailure(log: Logger, level: 'warn' | 'error', error: unknown, work: string): void {
  log[isDatabaseUnavailable(error) ? 'debug' : level]({ err: error, work }, 'will be tried again');
}

import type { Logger } from '../context.ts';
import { isConnectionLost } from '../db/errors/connection-lost.ts';

/** Logs a failure after which the work is tried again. OutageLog writes one line for all that a lost database fails. */
export function logFailure(log: Logger, level: 'warn' | 'error', error: unknown, work: string): void {
  log[isConnectionLost(error) ? 'debug' : level]({ err: error, work }, 'will be tried again');
}

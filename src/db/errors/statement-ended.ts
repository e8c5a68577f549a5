import { sqlState } from './sql-state.ts';

const QUERY_CANCELED = '57014';

/** Whether the server ended a statement because it took longer than it may. */
export function isStatementTimeout(error: unknown): boolean {
  return sqlState(error) === QUERY_CANCELED;
}

/** Whether a statement was not executed, or not to its end, because its client went away. */
export function isClientGone(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && error.code === 'CLIENT_GONE') return true;
  return 'cause' in error && isClientGone(error.cause);
}

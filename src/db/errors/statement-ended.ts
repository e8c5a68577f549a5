import { sqlState } from './sql-state.ts';

const QUERY_CANCELED = '57014';

/** Whether the statement timeout cancelled it. */
export function isStatementTimeout(error: unknown): boolean {
  return sqlState(error) === QUERY_CANCELED;
}

/** Whether it was cancelled because its client disconnected. */
export function isClientGone(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && error.code === 'CLIENT_GONE') return true;
  return 'cause' in error && isClientGone(error.cause);
}

import { CommerceError } from '../../errors.ts';
import { sqlState } from './sql-state.ts';

const QUERY_CANCELED = '57014';

/** Whether a statement failed because the server cancelled it at the statement timeout. */
export function isStatementTimeout(error: unknown): boolean {
  return sqlState(error) === QUERY_CANCELED;
}

/** Whether a statement failed at the statement timeout, or `inTransaction` because its transaction took too long. */
export function isTimeout(error: unknown): boolean {
  return isStatementTimeout(error) || (error instanceof CommerceError && error.code === 'TIMEOUT');
}

/** Whether a statement failed because it was cancelled when its client disconnected. */
export function isClientGone(error: unknown): boolean {
  return hasCode(error, 'CLIENT_GONE');
}

/** Whether a statement was not sent because its request had waited for connections until its deadline. */
export function isOverdue(error: unknown): boolean {
  return hasCode(error, 'REQUEST_OVERDUE');
}

function hasCode(error: unknown, code: string): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && error.code === code) return true;
  return 'cause' in error && hasCode(error.cause, code);
}

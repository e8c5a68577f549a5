import { CommerceError } from '../../errors.ts';
import { isConnectionLost } from './connection-lost.ts';

type DatabaseError = { code: string; message: string; constraint_name?: string };

/** PostgreSQL's codes of errors that are told apart. */
export const SQLSTATE = {
  readOnly: '25006',
  serializationFailure: '40001',
  deadlockDetected: '40P01',
  undefinedTable: '42P01',
  programLimitExceeded: '54000',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
};

/**
 * Class 53 is insufficient resources, such as a full disk; 58030 an I/O error; 25006 read-only. Some hosts make a server
 * read-only when its disk is nearly full, and a former primary is read-only after a failover.
 */
const LACKING_RESOURCES = /^(53|58030|25006)/;

/** A serialization failure, which Citus also reports if a shard was split meanwhile, and a deadlock. */
const UNDONE = [SQLSTATE.serializationFailure, SQLSTATE.deadlockDetected];

export function sqlState(error: unknown): string | undefined {
  return databaseError(error)?.code;
}

/** Drizzle wraps the driver's error as `cause`. */
export function databaseError(error: unknown): DatabaseError | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code))
    return error as DatabaseError;
  return 'cause' in error ? databaseError(error.cause) : undefined;
}

/** Whether the cause is the database as a whole, so that any statement may fail, and a retry may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isConnectionLost(error) || lacksResources(error);
}

/** Whether the database could be reached, and lacked the disk, memory or right to write that a statement needs. */
export function lacksResources(error: unknown): boolean {
  return LACKING_RESOURCES.test(sqlState(error) ?? '');
}

/** Whether the database has undone a statement or a transaction because of another transaction. */
export function isUndone(error: unknown): boolean {
  return UNDONE.includes(sqlState(error) ?? '');
}

/** Whether a statement failed because it would make a value that is larger than PostgreSQL or `refuse_large_list` allows. */
export function isTooLarge(error: unknown): boolean {
  return sqlState(error) === SQLSTATE.programLimitExceeded;
}

/** Whether a statement failed because the server cancelled it at the statement timeout. */
export function isStatementTimeout(error: unknown): boolean {
  return sqlState(error) === SQLSTATE.queryCanceled;
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

import { OAuthError } from '../app/credentials/oauth-error.ts';
import { ConfigError } from '../config.ts';
import { isConnectionLost } from '../db/errors/connection-lost.ts';
import { isStatementTimeout, lacksResources, sqlState } from '../db/errors/database-error.ts';
import { isOwnTableMissing } from '../db/errors/missing-table.ts';
import { EarlierDatabaseError } from '../db/schema/migration-state.ts';
import { CommerceError } from '../errors.ts';
import { MissingPackageError } from '../installation/missing-package.ts';
import { CsvFileError } from '../product-file/csv/text/csv-file-error.ts';
import { CommandError } from './command-error.ts';
import { ownCommand, START } from '../installation/own-command.ts';

const INSUFFICIENT_PRIVILEGE = '42501';
/** Error codes of files that are already open; such errors have no path. */
const FILE_ERRORS = ['EISDIR', 'ENOSPC', 'EDQUOT', 'EIO', 'EPIPE'];

export const TABLES_MISSING = `The database lacks tables of this version. Bring it up to date: ${ownCommand('migrate')}`;

/** Errors whose messages are written for the person who made the mistake. */
const EXPECTED = [ConfigError, CommandError, CsvFileError, EarlierDatabaseError, MissingPackageError];

/**
 * Describes an error for the person who started the process or command: a sentence for known causes, otherwise the
 * stack.
 */
export function describeError(error: unknown): string {
  const cause = rootCause(error);
  const { code, port, address, syscall, path } = cause as {
    code?: unknown;
    port?: number;
    address?: string;
    syscall?: string;
    path?: string;
  };
  if (EXPECTED.some((expected) => cause instanceof expected)) return (cause as Error).message;
  if (cause instanceof CommerceError || cause instanceof OAuthError) return `${cause.code}: ${cause.message}`;
  if (syscall === 'listen' && code === 'EADDRINUSE') {
    return `Port ${port} of ${address} is taken, perhaps by this service started before. Stop what listens there, or choose another: PORT=4001 ${START}`;
  }
  if (syscall === 'listen')
    return `Port ${port} of ${address} cannot be opened (${String(code)}). Choose another with PORT and HOST.`;
  if (path !== undefined && syscall !== undefined) return `${path} cannot be opened: ${(cause as Error).message}`;
  if (syscall !== undefined && FILE_ERRORS.includes(String(code))) return (cause as Error).message;
  if (isOwnTableMissing(cause)) return TABLES_MISSING;
  if (sqlState(cause) === INSUFFICIENT_PRIVILEGE) {
    return `The database refused it: ${(cause as Error).message}. Bring it up to date as the owner of its tables: MIGRATION_DATABASE_URL=… ${ownCommand('migrate')}`;
  }
  if (isStatementTimeout(cause)) {
    return `The database ended a statement: ${(cause as Error).message}. If it needs more time, repeat the command with STATEMENT_TIMEOUT_MS=600000.`;
  }
  if (isConnectionLost(cause)) return `The database cannot be reached: ${(cause as Error).message}`;
  if (lacksResources(cause)) return `The database lacks resources: ${(cause as Error).message}`;
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

/** Drizzle wraps errors in a message that repeats the statement with its parameters. */
function rootCause(error: unknown): unknown {
  return error instanceof Error && error.cause ? rootCause(error.cause) : error;
}

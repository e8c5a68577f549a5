import type { KeyObject } from 'node:crypto';
import { loadConfig } from '../../config.ts';
import { connect, type Database } from '../../db/connection/connect.ts';
import { EarlierDatabaseError, migrationState } from '../../db/schema/migration-state.ts';
import { CommandError } from '../../process/command-error.ts';
import { describeError, isUnreachable, TABLES_MISSING } from '../../process/describe-error.ts';
import { openExistingDatabase } from './existing-database.ts';

/** A command runs one statement at a time, beside a service that may be busy. */
const POOL_SIZE = 2;
/** The exit code after a signal by shell convention: 128 and its number. */
const EXIT_INTERRUPTED = 130;

export type OpenDatabase = { db: Database; databaseUrl: string; secretKey: KeyObject; isEmbedded: boolean };

/**
 * Opens the configured database. Without one, shares the embedded database with a running service, or starts it and
 * stops it afterwards. Refuses a database without the tables of this version.
 */
export async function openCommandDatabase(): Promise<OpenDatabase & { close: () => Promise<void> }> {
  const config = loadConfig();
  const environment = await openExistingDatabase(config);
  const { databaseUrl, secretKey, isEmbedded } = environment;
  const connection = connect(databaseUrl, {
    ...config.database,
    poolSize: POOL_SIZE,
    applicationName: 'commerce-administration-admin',
  });
  // An interrupted command stops the embedded database that it started.
  process.once('SIGINT', () => void environment.release().finally(() => process.exit(EXIT_INTERRUPTED)));
  const close = async (): Promise<void> => {
    await connection.close();
    await environment.release();
  };
  try {
    await checkTables(connection.db, databaseUrl);
  } catch (error) {
    await close();
    throw error;
  }
  return { db: connection.db, databaseUrl, secretKey, isEmbedded, close };
}

async function checkTables(db: Database, url: string): Promise<void> {
  const state = await migrationState(db).catch((error: unknown) => {
    throw isUnreachable(error) ? unreachable(error, url) : error;
  });
  if (state === 'earlier') throw new EarlierDatabaseError();
  if (state === 'empty' || state === 'behind') throw new CommandError(TABLES_MISSING);
}

/** Without the password of the URL. */
function unreachable(error: unknown, url: string): CommandError {
  const { host, pathname } = new URL(url);
  return new CommandError(
    `${describeError(error)} (${host}${pathname}, of DATABASE_URL). Find the cause: npx commerce doctor`,
  );
}

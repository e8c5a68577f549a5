import { loadConfig } from '../../config.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import type { Database } from '../../db/connection/database.ts';
import { isConnectionLost } from '../../db/errors/connection-lost.ts';
import { connectForWork } from '../../db/connection/connect-for-work.ts';
import { EarlierDatabaseError, migrationState } from '../../db/schema/migration-state.ts';
import { CommandError } from '../../process/command-error.ts';
import { describeError, TABLES_MISSING } from '../../process/describe-error.ts';
import { openExistingDatabase } from './existing-database.ts';
import { EXIT_INTERRUPTED, Interruption } from './interruption.ts';
import { ownCommand } from '../../installation/own-command.ts';
import type { SecretKey } from '../../values/secret-key.ts';

/** Few, because a running service may need the other connections of the server. */
const POOL_SIZE = 2;

export type OpenDatabase = AcrossContext & {
  databaseUrl: string;
  secretKey: SecretKey;
  isEmbedded: boolean;
  interruption: Interruption;
};

/**
 * Opens the configured database. Without one, shares the embedded database with a running service, or starts it and
 * stops it afterwards. Refuses a database without the tables of this version.
 */
export async function openCommandDatabase(): Promise<OpenDatabase & { close: () => Promise<void> }> {
  const config = loadConfig();
  const environment = await openExistingDatabase(config);
  const { databaseUrl, acrossUrl, secretKey, isEmbedded } = environment;
  const interruption = new Interruption();
  // An interrupted command stops the embedded database that it started.
  process.on('SIGINT', () => {
    if (!interruption.stopWork()) void environment.release().finally(() => process.exit(EXIT_INTERRUPTED));
  });
  try {
    const connections = await openConnections(databaseUrl, acrossUrl, config.database.statementTimeoutMs);
    const close = async (): Promise<void> => {
      await connections.close();
      await environment.release();
    };
    return { ...connections, databaseUrl, secretKey, isEmbedded, interruption, close };
  } catch (error) {
    await environment.release();
    throw isConnectionLost(error) ? unreachable(error, databaseUrl) : error;
  }
}

async function openConnections(url: string, acrossUrl: string, statementTimeoutMs: number) {
  const applicationName = 'commerce-administration-admin';
  const connections = await connectForWork(url, {
    acrossUrl,
    poolSize: POOL_SIZE,
    statementTimeoutMs,
    applicationName,
  });
  try {
    await checkTables(connections.db);
    return connections;
  } catch (error) {
    await connections.close();
    throw error;
  }
}

async function checkTables(db: Database): Promise<void> {
  const state = await migrationState(db);
  if (state === 'earlier') throw new EarlierDatabaseError();
  if (state === 'empty' || state === 'behind') throw new CommandError(TABLES_MISSING);
}

/** Names the host and the database, but not the password of the URL. */
function unreachable(error: unknown, url: string): CommandError {
  const { host, pathname } = new URL(url);
  return new CommandError(
    `${describeError(error)} (${host}${pathname}, of DATABASE_URL). Find the cause: ${ownCommand('doctor')}`,
  );
}

import type { KeyObject } from 'node:crypto';
import { loadConfig } from '../config.ts';
import { connect, type Database } from '../db/connection/connect.ts';
import { migrate } from '../db/schema/migrate.ts';
import { refuseEarlier } from '../db/schema/migration-state.ts';
import { openDemo } from '../demo/open-demo.ts';
import { openDatabaseEnvironment } from '../database-environment.ts';

/** Few, for a command does one thing after the other beside a service that may be busy. */
const POOL_SIZE = 2;
/** As shells number it: 128 and the signal. */
const EXIT_INTERRUPTED = 130;

export type OpenDatabase = { db: Database; databaseUrl: string; secretKey: KeyObject; isEmbedded: boolean };

/**
 * Runs a command's work on the database of the configuration. The embedded one is shared with a
 * running service, or started for the command and stopped after it. A database from before the first release is refused,
 * unless the command only examines it.
 */
export async function withDatabase<T>(work: (database: OpenDatabase) => Promise<T>, allowsEarlier = false): Promise<T> {
  const config = loadConfig();
  const environment = await openDatabaseEnvironment(config);
  const { databaseUrl, secretKey, isEmbedded } = environment;
  const connection = connect(databaseUrl, {
    ...config.database,
    poolSize: POOL_SIZE,
    applicationName: 'commerce-administration-admin',
  });
  // An interrupted command leaves no database of its own behind.
  process.once('SIGINT', () => void environment.release().finally(() => process.exit(EXIT_INTERRUPTED)));
  try {
    // The command may come before the first start of the service.
    if (isEmbedded) {
      await migrate(environment.ownerUrl, databaseUrl);
      await openDemo(environment);
    } else if (!allowsEarlier) {
      await refuseEarlier(connection.db);
    }
    return await work({ db: connection.db, databaseUrl, secretKey, isEmbedded });
  } finally {
    await connection.close();
    await environment.release();
  }
}

import type { KeyObject } from 'node:crypto';
import { loadConfig } from '../config.ts';
import { connect, type Database } from '../db/connection/connect.ts';
import { migrate } from '../db/schema/migrate.ts';
import { refuseEarlier } from '../db/schema/migration-state.ts';
import { openDemo } from '../demo/open-demo.ts';
import { openDatabaseEnvironment } from '../database-environment.ts';

/** A command runs one statement at a time, beside a service that may be busy. */
const POOL_SIZE = 2;
/** The exit code after a signal by shell convention: 128 and its number. */
const EXIT_INTERRUPTED = 130;

export type OpenDatabase = { db: Database; databaseUrl: string; secretKey: KeyObject; isEmbedded: boolean };

/**
 * Runs `work` on the configured database. Without one, uses the embedded database: shares it with a running service, or
 * starts and stops it. Refuses a database of before the first release.
 */
export async function withDatabase<T>(work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const config = loadConfig();
  const environment = await openDatabaseEnvironment(config);
  const { databaseUrl, secretKey, isEmbedded } = environment;
  const connection = connect(databaseUrl, {
    ...config.database,
    poolSize: POOL_SIZE,
    applicationName: 'commerce-administration-admin',
  });
  // An interrupted command stops the embedded database that it started.
  process.once('SIGINT', () => void environment.release().finally(() => process.exit(EXIT_INTERRUPTED)));
  try {
    // The command may run before the first start of the service.
    if (isEmbedded) {
      await migrate(environment.ownerUrl, databaseUrl);
      await openDemo(environment);
    } else {
      await refuseEarlier(connection.db);
    }
    return await work({ db: connection.db, databaseUrl, secretKey, isEmbedded });
  } finally {
    await connection.close();
    await environment.release();
  }
}

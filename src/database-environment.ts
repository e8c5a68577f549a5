import type { KeyObject } from 'node:crypto';
import type { Config } from './config.ts';
import { leaseEmbeddedPostgres } from './db/embedded/embedded-lease.ts';
import { keptSecretKey } from './secret-key.ts';

/** What the service and the commands stand on: a database, and the key that client secrets are kept under. */
export type DatabaseEnvironment = {
  /** For the role that serves: it works with the tables and changes none of them. */
  readonly databaseUrl: string;
  /** For the role that owns the tables; the same address where no other is configured. */
  readonly ownerUrl: string;
  readonly secretKey: KeyObject;
  /** True for the database that lies in DATA_DIR. */
  readonly isEmbedded: boolean;
  /** Tells whether the database was stopped with it. */
  release(): Promise<boolean>;
};

/** The configured database, or without one the embedded database of DATA_DIR. */
export async function openDatabaseEnvironment(
  config: Pick<Config, 'databaseUrl' | 'migrationDatabaseUrl' | 'secretKey' | 'dataDir'>,
): Promise<DatabaseEnvironment> {
  const { databaseUrl, migrationDatabaseUrl: ownerUrl = databaseUrl, secretKey, dataDir } = config;
  if (databaseUrl && ownerUrl) {
    if (!secretKey) throw new Error('SECRET_KEY is required with DATABASE_URL.');
    return { databaseUrl, ownerUrl, secretKey, isEmbedded: false, release: () => Promise.resolve(false) };
  }
  const lease = await leaseEmbeddedPostgres(dataDir);
  const kept = secretKey ?? (await keptSecretKey(dataDir));
  return {
    databaseUrl: lease.servingUrl,
    ownerUrl: lease.url,
    secretKey: kept,
    isEmbedded: true,
    release: lease.release,
  };
}

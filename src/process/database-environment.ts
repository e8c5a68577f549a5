import type { Config } from '../config.ts';
import { leaseEmbeddedPostgres } from '../db/embedded/embedded-lease.ts';
import { makeFolder } from '../installation/make-folder.ts';
import { storedSecretKey } from './secret-key.ts';
import type { SecretKey } from '../values/secret-key.ts';

/** The database that the service and the commands use, and the key that encrypts client secrets. */
export type DatabaseEnvironment = {
  /** The URL for the serving role, which reads and writes rows and defines nothing. */
  readonly databaseUrl: string;
  /** The URL for the role that owns the tables; the same as `databaseUrl` if no other is configured. */
  readonly ownerUrl: string;
  /** The URL for the role that reads rows of several merchants; the same as `databaseUrl` if no other is configured. */
  readonly acrossUrl: string;
  readonly secretKey: SecretKey;
  /** Whether it is the embedded database in DATA_DIR. */
  readonly isEmbedded: boolean;
  /** Resolves to whether this stopped the embedded database. */
  release(): Promise<boolean>;
};

/** Opens the configured database, or else the embedded database in DATA_DIR. */
export async function openDatabaseEnvironment(
  config: Pick<Config, 'databaseUrl' | 'migrationDatabaseUrl' | 'crossMerchantDatabaseUrl' | 'secretKey' | 'dataDir'>,
): Promise<DatabaseEnvironment> {
  const { databaseUrl, migrationDatabaseUrl: ownerUrl = databaseUrl, secretKey, dataDir } = config;
  if (databaseUrl && ownerUrl) {
    if (!secretKey) throw new Error('SECRET_KEY is required with DATABASE_URL.');
    const acrossUrl = config.crossMerchantDatabaseUrl ?? databaseUrl;
    return { databaseUrl, ownerUrl, acrossUrl, secretKey, isEmbedded: false, release: () => Promise.resolve(false) };
  }
  // The key first, so that a damaged one leaves no database running.
  await makeFolder(dataDir);
  const kept = secretKey ?? (await storedSecretKey(dataDir));
  const lease = await leaseEmbeddedPostgres(dataDir);
  return {
    databaseUrl: lease.servingUrl,
    ownerUrl: lease.url,
    acrossUrl: lease.servingUrl,
    secretKey: kept,
    isEmbedded: true,
    release: lease.release,
  };
}

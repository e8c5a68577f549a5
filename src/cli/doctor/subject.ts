import { type Config, loadConfig } from '../../config.ts';
import { type DatabaseEnvironment, openDatabaseEnvironment } from '../../database-environment.ts';
import { connect, type Connection, type Database } from '../../db/connection/connect.ts';
import { hasCluster } from '../../db/embedded/has-cluster.ts';
import { Broken } from './check.ts';

const STATEMENT_TIMEOUT_MS = 15_000;

/** The set-up that `doctor` examines. Each part is opened when a check first needs it. */
export class Subject {
  #config: Config | null = null;
  #environment: Promise<DatabaseEnvironment> | null = null;
  readonly #connections = new Map<string, Connection>();

  get config(): Config {
    return (this.#config ??= loadConfig());
  }

  /** Starts the embedded database if it is not running, and never makes one. */
  async environment(): Promise<DatabaseEnvironment> {
    return await (this.#environment ??= this.#open());
  }

  /** As the serving role. */
  async db(): Promise<Database> {
    return this.#connect((await this.environment()).databaseUrl);
  }

  /** As the owner of the tables, if MIGRATION_DATABASE_URL is set; otherwise the same as `db`. */
  async ownerDb(): Promise<Database> {
    return this.#connect((await this.environment()).ownerUrl);
  }

  async close(): Promise<void> {
    for (const connection of this.#connections.values()) await connection.close();
    const environment = await this.#environment?.catch(() => null);
    await environment?.release();
  }

  async #open(): Promise<DatabaseEnvironment> {
    const { databaseUrl, dataDir } = this.config;
    const isMade = databaseUrl !== undefined || (await hasCluster(dataDir));
    if (!isMade) throw noDatabase(dataDir);
    return await openDatabaseEnvironment(this.config);
  }

  #connect(url: string): Database {
    const open = this.#connections.get(url) ?? connect(url, OPTIONS);
    this.#connections.set(url, open);
    return open.db;
  }
}

const OPTIONS = {
  poolSize: 1,
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  applicationName: 'commerce-administration-admin',
};

function noDatabase(dataDir: string): Broken {
  return new Broken(
    `DATABASE_URL is not set, and ${dataDir} holds no embedded database. The first start makes one; if there is a ` +
      "service already, use its environment: the server's DATA_DIR or DATABASE_URL",
    'npm start',
  );
}

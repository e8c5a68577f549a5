import { type Config, loadConfig } from '../../config.ts';
import type { DatabaseEnvironment } from '../../process/database-environment.ts';
import type { AcrossMerchants } from '../../db/connection/across-merchants.ts';
import { connect, type Connection } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { connectAcross } from '../../db/connection/connect-for-work.ts';
import { placementOf } from '../../db/connection/placement.ts';
import { isDatabaseMade, noDatabase, openExistingDatabase } from '../database/existing-database.ts';
import { Broken } from './check.ts';
import { START } from '../../installation/own-command.ts';

const STATEMENT_TIMEOUT_MS = 15_000;
/** The time limit of statements over several merchants. Some read an index entry for each product of all merchants. */
export const ACROSS_TIMEOUT_MS = 5_000;

/** The set-up that `doctor` examines. Each part is opened when a check first needs it. */
export class Subject {
  #config: Config | null = null;
  #environment: Promise<DatabaseEnvironment> | null = null;
  readonly #connections = new Map<string, Connection>();
  #across: ReturnType<typeof connectAcross> | null = null;

  get config(): Config {
    return (this.#config ??= loadConfig());
  }

  /** Starts the embedded database if it is not running, and never makes one. */
  async environment(): Promise<DatabaseEnvironment> {
    return await (this.#environment ??= this.#open());
  }

  /** The database as the serving role. */
  async db(): Promise<Database> {
    return this.#connect((await this.environment()).databaseUrl);
  }

  /** The database as the owner of the tables, if MIGRATION_DATABASE_URL is set; otherwise the same as `db`. */
  async ownerDb(): Promise<Database> {
    return this.#connect((await this.environment()).ownerUrl);
  }

  /** The database as the role of CROSS_MERCHANT_DATABASE_URL, if it is set; otherwise the same as `db`. */
  async acrossDb(): Promise<Database> {
    return this.#connect((await this.environment()).acrossUrl);
  }

  /** The connections for statements over several merchants. */
  async across(): Promise<AcrossMerchants> {
    if (!this.#across) {
      const { acrossUrl } = await this.environment();
      const placement = await placementOf(await this.db());
      this.#across = connectAcross(acrossUrl, placement, { ...OPTIONS, statementTimeoutMs: ACROSS_TIMEOUT_MS });
    }
    return this.#across.across;
  }

  async close(): Promise<void> {
    await this.#across?.close();
    for (const connection of this.#connections.values()) await connection.close();
    const environment = await this.#environment?.catch(() => null);
    await environment?.release();
  }

  async #open(): Promise<DatabaseEnvironment> {
    if (!(await isDatabaseMade(this.config))) throw new Broken(noDatabase(this.config.dataDir), START);
    return await openExistingDatabase(this.config);
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

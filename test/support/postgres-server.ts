import { chown, cp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connectOnce } from '../../src/db/connection/connect.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { postgresUser } from '../../src/db/embedded/postgres-user.ts';
import { copyData, createMigratedData, pathsIn } from './migrated-data.ts';
import { createDataDir, type DataDir, databaseProcess, isAlive } from './process.ts';

const STARTED_WITHIN_MS = 30_000;
const POLL_MS = 100;

/** A PostgreSQL server for one test, which can be killed and started again with the same port and data. */
export class PostgresServer {
  /** The URL for the owner, a superuser. */
  readonly url: string;
  /** The URL for the serving role. */
  readonly servingUrl: string;
  readonly #data: DataDir;
  readonly #settings: Record<string, string>;

  private constructor({ url, servingUrl }: EmbeddedPostgres, data: DataDir, settings: Record<string, string>) {
    this.url = url;
    this.servingUrl = servingUrl;
    this.#data = data;
    this.#settings = { ...settings, port: new URL(url).port };
  }

  static async start(settings: Record<string, string> = {}): Promise<PostgresServer> {
    return await PostgresServer.#startWith(await createDataDir(), settings);
  }

  /** Starts a server whose database is migrated. */
  static async startMigrated(settings: Record<string, string> = {}): Promise<PostgresServer> {
    return await PostgresServer.#startWith(await createMigratedData(), settings);
  }

  static async #startWith(data: DataDir, settings: Record<string, string>): Promise<PostgresServer> {
    return new PostgresServer(await startEmbeddedPostgres(data.path, settings), data, settings);
  }

  /** Sends SIGKILL, as after a crash or by the out-of-memory killer. */
  async kill(): Promise<void> {
    const pid = (await databaseProcess(this.#data.path))!;
    process.kill(pid, 'SIGKILL');
    while (isAlive(pid)) await wait(POLL_MS);
  }

  /** Starts it after `kill` or `shutDown`. Its old processes hold the shared memory for a moment longer. */
  async start(): Promise<void> {
    const endsAtMs = performance.now() + STARTED_WITHIN_MS;
    for (;;) {
      try {
        await startEmbeddedPostgres(this.#data.path, this.#settings);
        return;
      } catch (error) {
        if (performance.now() > endsAtMs) throw error;
        await wait(POLL_MS);
      }
    }
  }

  /** Stops it properly, without waiting for clients. */
  async shutDown(): Promise<void> {
    await (await startEmbeddedPostgres(this.#data.path, this.#settings)).stop();
  }

  /**
   * Starts another server with its data, as the new primary, and then this one again as a standby, which refuses writes
   * and LISTEN. The two have no connection to each other.
   */
  async failOver(): Promise<PostgresServer> {
    await this.shutDown();
    const data = await createDataDir();
    await copyData(this.#data.path, data.path);
    const { port: _, ...settings } = this.#settings;
    const primary = await PostgresServer.#startWith(data, settings);
    await writeFile(join(this.#data.path, 'postgres', 'standby.signal'), '');
    await this.start();
    return primary;
  }

  /** Moves the WAL to another folder, and starts the server again. */
  async moveWal(folder: string): Promise<void> {
    await this.shutDown();
    const wal = join(this.#data.path, 'postgres', 'pg_wal');
    const moved = join(folder, 'pg_wal');
    await cp(wal, moved, { recursive: true, preserveTimestamps: true });
    const { ids } = await postgresUser(folder);
    if (ids) for (const path of [folder, ...(await pathsIn(moved))]) await chown(path, ids.uid, ids.gid);
    await rm(wal, { recursive: true });
    await symlink(moved, wal);
    await this.start();
  }

  async remove(): Promise<void> {
    await this.shutDown();
    await this.#data.remove();
  }
}

/**
 * Moves a database of such a server to another folder, without the WAL of the server. The database must have no
 * connections.
 */
export async function moveDatabase(ownerUrl: string, folder: string): Promise<void> {
  const { ids } = await postgresUser(folder);
  if (ids) await chown(folder, ids.uid, ids.gid);
  const database = new URL(ownerUrl).pathname.slice(1);
  // A connection to another database: PostgreSQL cannot move the one of the connection.
  const client = connectOnce(Object.assign(new URL(ownerUrl), { pathname: '/template1' }).href);
  try {
    await client.unsafe(`create tablespace elsewhere location '${folder}'`);
    await client.unsafe(`alter database "${database}" set tablespace elsewhere`);
  } finally {
    await client.end();
  }
}

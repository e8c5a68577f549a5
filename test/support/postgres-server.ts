import { setTimeout as wait } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../src/db/embedded.ts';
import { createDataDir, type DataDir, databaseProcess, isAlive } from './process.ts';

const STARTED_WITHIN_MS = 30_000;
const POLL_MS = 100;

/** A PostgreSQL of a test's own, that can be killed and comes back on the same port with the same data. */
export class PostgresServer {
  readonly url: string;
  readonly #data: DataDir;
  readonly #settings: Record<string, string>;

  private constructor(url: string, data: DataDir, settings: Record<string, string>) {
    this.url = url;
    this.#data = data;
    this.#settings = { ...settings, port: new URL(url).port };
  }

  static async start(settings: Record<string, string> = {}): Promise<PostgresServer> {
    const data = await createDataDir();
    const { url } = await startEmbeddedPostgres(data.path, settings);
    return new PostgresServer(url, data, settings);
  }

  /** SIGKILL, as a crash or the out-of-memory killer would. */
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

  /** An orderly stop that does not wait for its clients. */
  async shutDown(): Promise<void> {
    await (await startEmbeddedPostgres(this.#data.path, this.#settings)).stop();
  }

  async remove(): Promise<void> {
    await this.shutDown();
    await this.#data.remove();
  }
}

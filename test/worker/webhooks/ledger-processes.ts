import { setTimeout as wait } from 'node:timers/promises';
import { type ServiceProcess, startServiceProcess } from '../../support/service.ts';

export type ProcessRole = 'all' | 'api' | 'worker';

const ENVIRONMENT = {
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_RETRY_DELAYS_MS: '200,400',
  LOG_LEVEL: 'info',
};
const DIES_WITHIN_MS = 2_000;

/** Processes of the service on one database. Each can be killed, and is then started again. */
export class LedgerProcesses {
  readonly #running: ServiceProcess[] = [];
  readonly #databaseUrl: string;
  readonly #roles: readonly ProcessRole[];

  private constructor(databaseUrl: string, roles: readonly ProcessRole[]) {
    this.#databaseUrl = databaseUrl;
    this.#roles = roles;
  }

  static async start(databaseUrl: string, roles: readonly ProcessRole[]): Promise<LedgerProcesses> {
    const processes = new LedgerProcesses(databaseUrl, roles);
    await Promise.all(roles.map(async (_, index) => await processes.#startOne(index)));
    return processes;
  }

  /** The URL for the nth request. The processes that serve requests take turns. */
  graphqlUrl(n: number): string {
    const serving = this.#running.filter((_, index) => this.#roles[index] !== 'worker');
    return serving[n % serving.length]!.graphqlUrl;
  }

  /** Kills process n, modulo their number, and starts it again. The others keep running. */
  async kill(n: number): Promise<void> {
    const index = n % this.#running.length;
    await this.#running[index]!.kill();
    await this.#startOne(index);
  }

  /** Fails if a process ends within the next two seconds. */
  async surviveDatabase(): Promise<void> {
    const ends = this.#running.map(async ({ ended }) => await ended.then(() => true));
    if (await Promise.race([...ends, wait(DIES_WITHIN_MS, false)]))
      throw new Error('A process of the service ended when its database was disturbed.');
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.map(async (process) => await process.kill()));
  }

  async #startOne(index: number): Promise<void> {
    this.#running[index] = await startServiceProcess(this.#databaseUrl, { ...ENVIRONMENT, ROLE: this.#roles[index]! });
  }
}

import { issueAccessToken } from '../../../src/app/credentials/access-token.ts';
import { appScopes } from '../../../src/app-scope.ts';
import type { Context } from '../../../src/context.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import { until } from '../../worker/webhooks/receiver.ts';
import { createContext } from '../../support/context.ts';
import { isAlive, logLines, residentMib, type RunningService, startMain } from '../../support/process.ts';
import { type Balance, Ledger } from './ledger.ts';
import { Load } from './load.ts';

/** The time within which the service must work normally again after a fault. */
export const NORMAL_WITHIN_MS = 10_000;
/** Includes garbage that V8 has not collected yet: 74 to 152 MiB were seen with the same changes. */
const MAX_MEMORY_GROWTH_MIB = 200;
const WARM_UP_MS = 30_000;
const REFUSED_WITHIN_MS = 30_000;

export type Recovery = { wrong: string[]; unanswered: number; isAlive: boolean; readiness: number };

/** Expected after every fault: failed requests had the error SERVICE_UNAVAILABLE, and the process has not ended. */
export const NORMAL: Recovery = { wrong: [], unanswered: 0, isAlive: true, readiness: 200 };
/** Expected after all faults. */
export const NOTHING_LOST = { lost: [], doubled: [], unanswered: [], unpushed: [], isMemoryFlat: true };

const environment = {
  SECRET_KEY: '0'.repeat(64),
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_RETRY_DELAYS_MS: '200,400',
};

/** The service under load, started as by `npm start`, with a database in which the test causes faults. */
export class FaultedService {
  readonly process: RunningService;
  readonly ctx: Context;
  readonly token: string;
  readonly load: Load;
  readonly #ledger: Ledger;
  readonly #memoryMib: number;

  private constructor(process: RunningService, { ctx, token, ledger }: Merchant, load: Load) {
    this.process = process;
    this.ctx = ctx;
    this.token = token;
    this.load = load;
    this.#ledger = ledger;
    this.#memoryMib = residentMib(process.child.pid!);
  }

  /** `db`: a connection to the same database as `databaseUrl`, on which the faults have no effect. */
  static async start(
    db: Database,
    databaseUrl: string,
    settings: Record<string, string> = {},
  ): Promise<FaultedService> {
    const process = await startFaultable(databaseUrl, settings);
    const merchant = await createMerchant(db);
    const load = new Load({ ...merchant, graphqlUrl: () => `${process.url}/api/v1/admin/graphql` }).start();
    await load.isServed(WARM_UP_MS).catch(async (error: unknown) => {
      await process.stop('SIGKILL');
      throw error;
    });
    return new FaultedService(process, merchant, load);
  }

  /** Waits until clients are refused, which shows that the fault has an effect. */
  async isRefusing(): Promise<void> {
    const before = this.load.counts.unavailable;
    await until(
      () => this.load.counts.unavailable,
      (count) => count > before,
      REFUSED_WITHIN_MS,
    );
  }

  /** Waits until all clients are served again. Returns the state of the service and the failures meanwhile. */
  async recovery(fault: string): Promise<Recovery> {
    const tookMs = await this.load.isServed(NORMAL_WITHIN_MS);
    const pid = this.process.child.pid!;
    console.log(
      `${fault}: normal again after ${Math.round(tookMs)} ms, ${JSON.stringify(this.load.counts)}, ${residentMib(pid)} MiB`,
    );
    const readiness = await fetch(`${this.process.url}/readyz`);
    return {
      wrong: [...this.load.wrong, ...this.#unexpectedErrors()],
      unanswered: this.load.counts.refused + this.load.counts.cut,
      isAlive: isAlive(pid),
      readiness: readiness.status,
    };
  }

  /** Ends the load and compares the answers of clients with the stored records. */
  async balance(): Promise<Balance & { isMemoryFlat: boolean }> {
    await this.load.stop();
    const { committed, ...balance } = await this.#ledger.balance();
    const grownMib = residentMib(this.process.child.pid!) - this.#memoryMib;
    console.log(
      `${committed} changes were told to be committed, ${this.load.counts.unavailable} requests were refused, memory grew by ${grownMib} MiB`,
    );
    return { ...balance, isMemoryFlat: grownMib < MAX_MEMORY_GROWTH_MIB };
  }

  async stop(): Promise<void> {
    const [{ code }] = await Promise.all([this.process.stop(), this.load.stop()]);
    await this.#ledger.close();
    if (code !== 0) throw new Error(`The service ended with code ${code}.`);
  }

  /** The unexpected errors in the log. Clients do not see their causes. */
  #unexpectedErrors(): string[] {
    return logLines(this.process.stdout())
      .filter(({ msg }) => msg === 'unexpected error')
      .map((line) => JSON.stringify(line));
  }
}

export async function startFaultable(
  databaseUrl: string,
  settings: Record<string, string> = {},
): Promise<RunningService> {
  return await startMain({ DATABASE_URL: databaseUrl, ...environment, ...settings });
}

export type Merchant = { ctx: Context; token: string; ledger: Ledger };

/** A merchant whose new customers are pushed to a webhook, and a token of its app. */
export async function createMerchant(db: Database): Promise<Merchant> {
  const ctx = await createContext(db);
  const token = await issueAccessToken(ctx, { authorizedAppId: ctx.session.authorizedAppId, scopes: appScopes });
  return { ctx, token, ledger: await Ledger.open(ctx) };
}

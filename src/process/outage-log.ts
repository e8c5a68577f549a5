import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../context.ts';
import { isConnectionLost } from '../db/errors/connection-lost.ts';
import { lacksResources } from '../db/errors/database-error.ts';

/** Delays between two tests whether an outage is over. */
const FIRST_TEST_DELAY_MS = 250;
const MAX_TEST_DELAY_MS = 5_000;
/** At most one line in this time about connections that are lost while the database can be reached. */
const LOSS_INTERVAL_MS = 10_000;
/** The database has resources again when no statement has lacked them for so long. */
const QUIET_MS = 5_000;

/** Statements that fail during an outage, on a connection that nothing else waits for. */
export type OutageTests = {
  /** Fails while the database cannot be reached. */
  reach: () => Promise<unknown>;
  /** Fails while the database cannot write. */
  write: () => Promise<unknown>;
};

/**
 * Logs one line when the database cannot be reached any more, or lacks resources, and one when that is over. Statements
 * report their failures; everything else logs such failures at the level `debug` only, since one outage makes hundreds.
 */
export class OutageLog {
  readonly #log: Logger;
  readonly #tests: OutageTests;
  readonly #closing = new AbortController();
  readonly #followed = new Set<'loss' | 'lack'>();
  #lossLoggedAtMs = -Infinity;
  #lackedAtMs = -Infinity;

  constructor(log: Logger, tests: OutageTests) {
    this.#log = log;
    this.#tests = tests;
  }

  /** Called with every error of a statement. */
  readonly report = (error: unknown): void => {
    if (isConnectionLost(error)) return this.#followOnce('loss', async () => await this.#followLoss(error));
    if (!lacksResources(error)) return;
    this.#lackedAtMs = performance.now();
    this.#followOnce('lack', async () => await this.#followLack(error));
  };

  /** Last known state, without a query. */
  get isLackingResources(): boolean {
    return this.#followed.has('lack');
  }

  close(): void {
    this.#closing.abort();
  }

  #followOnce(what: 'loss' | 'lack', follow: () => Promise<void>): void {
    if (this.#closing.signal.aborted || this.#followed.has(what)) return;
    this.#followed.add(what);
    void follow().finally(() => this.#followed.delete(what));
  }

  async #followLoss(error: unknown): Promise<void> {
    const sinceMs = performance.now();
    if (await succeeds(this.#tests.reach)) return this.#logLoss(error);
    if (this.#closing.signal.aborted) return;
    this.#log.error(reasonOf(error), 'the database cannot be reached');
    await this.#until(async () => await succeeds(this.#tests.reach));
    if (this.#closing.signal.aborted) return;
    this.#log.info({ awayMs: Math.round(performance.now() - sinceMs) }, 'the database can be reached again');
  }

  /** The test alone does not end it: what is lacking may be the disk of one table, or of one node of a cluster. */
  async #followLack(error: unknown): Promise<void> {
    const sinceMs = performance.now();
    this.#log.error(reasonOf(error), 'the database lacks resources');
    await this.#until(
      async () => performance.now() - this.#lackedAtMs > QUIET_MS && (await succeeds(this.#tests.write)),
    );
    if (this.#closing.signal.aborted) return;
    this.#log.info({ lackedMs: Math.round(performance.now() - sinceMs) }, 'the database has resources again');
  }

  async #until(isOver: () => Promise<boolean>): Promise<void> {
    const { signal } = this.#closing;
    for (let delayMs = FIRST_TEST_DELAY_MS; !signal.aborted; delayMs = Math.min(2 * delayMs, MAX_TEST_DELAY_MS)) {
      await wait(delayMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (await isOver()) return;
    }
  }

  #logLoss(error: unknown): void {
    if (performance.now() - this.#lossLoggedAtMs < LOSS_INTERVAL_MS) return;
    this.#lossLoggedAtMs = performance.now();
    this.#log.warn(reasonOf(error), 'a connection to the database was lost');
  }
}

async function succeeds(test: () => Promise<unknown>): Promise<boolean> {
  return await test().then(
    () => true,
    () => false,
  );
}

/** The code and message of the driver's error: its stack tells nothing, and Drizzle's message has the statement. */
function reasonOf(error: unknown): { code: unknown; reason: string } {
  if (error instanceof Error && error.cause) return reasonOf(error.cause);
  const { code, message } = error as { code?: unknown; message?: unknown };
  return { code, reason: String(message) };
}

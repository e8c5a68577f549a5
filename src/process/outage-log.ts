import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../context.ts';
import { isConnectionLost } from '../db/errors/connection-lost.ts';

/** Delays between two tests whether the database is back. */
const FIRST_TEST_DELAY_MS = 250;
const MAX_TEST_DELAY_MS = 5_000;
/** At most one line in this time about connections that are lost while the database can be reached. */
const LOSS_INTERVAL_MS = 10_000;

/**
 * Logs one line when the database cannot be reached any more, and one when it can be reached again. Statements report
 * their failures; everything else logs lost connections at the level `debug` only, since one outage makes hundreds.
 */
export class OutageLog {
  readonly #log: Logger;
  readonly #test: () => Promise<unknown>;
  readonly #closing = new AbortController();
  #isFollowing = false;
  #lossLoggedAtMs = -Infinity;

  /** `test` runs a statement, on a connection that nothing else waits for. */
  constructor(log: Logger, test: () => Promise<unknown>) {
    this.#log = log;
    this.#test = test;
  }

  /** Called with every error of a statement. */
  readonly report = (error: unknown): void => {
    if (this.#isFollowing || this.#closing.signal.aborted || !isConnectionLost(error)) return;
    this.#isFollowing = true;
    void this.#follow(error).finally(() => (this.#isFollowing = false));
  };

  close(): void {
    this.#closing.abort();
  }

  async #follow(error: unknown): Promise<void> {
    const sinceMs = performance.now();
    if (await this.#isReached()) return this.#logLoss(error);
    if (this.#closing.signal.aborted) return;
    this.#log.error(reasonOf(error), 'the database cannot be reached');
    await this.#untilBack();
    if (this.#closing.signal.aborted) return;
    this.#log.info({ awayMs: Math.round(performance.now() - sinceMs) }, 'the database can be reached again');
  }

  async #untilBack(): Promise<void> {
    const { signal } = this.#closing;
    for (let delayMs = FIRST_TEST_DELAY_MS; !signal.aborted; delayMs = Math.min(2 * delayMs, MAX_TEST_DELAY_MS)) {
      await wait(delayMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (await this.#isReached()) return;
    }
  }

  async #isReached(): Promise<boolean> {
    return await this.#test().then(
      () => true,
      () => false,
    );
  }

  #logLoss(error: unknown): void {
    if (performance.now() - this.#lossLoggedAtMs < LOSS_INTERVAL_MS) return;
    this.#lossLoggedAtMs = performance.now();
    this.#log.warn(reasonOf(error), 'a connection to the database was lost');
  }
}

/** The code and message of the driver's error: its stack tells nothing, and Drizzle's message has the statement. */
function reasonOf(error: unknown): { code: unknown; reason: string } {
  if (error instanceof Error && error.cause) return reasonOf(error.cause);
  const { code, message } = error as { code?: unknown; message?: unknown };
  return { code, reason: String(message) };
}

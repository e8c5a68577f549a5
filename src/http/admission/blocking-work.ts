import type { Session } from '../../context.ts';
import { type Client, Turns } from './fair-limiter.ts';

const WAITING_MAX = 1_000;
const WAIT_MAX_MS = 10_000;
/** Shorter pieces are hardly noticed, and most are far shorter. */
const SHORT_PIECE_MS = 10;

/**
 * Runs work that keeps the event loop busy for long, as parsing megabytes of JSON does: one piece at a time, merchant by
 * merchant. After a long piece the event loop is left to others for as long as that took: a short request has up to six
 * steps, each of which would otherwise wait for a piece of its own.
 */
export class MainThread {
  readonly #turns = new Turns({ max: 1, maxPerMerchant: 1, waitingMax: WAITING_MAX, waitMaxMs: WAIT_MAX_MS });

  async run<T>(session: Session | null, client: Client, work: () => T): Promise<T> {
    const leave = await this.#turns.take(session, 1, client);
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      const tookMs = performance.now() - startedAt;
      if (tookMs < SHORT_PIECE_MS) setImmediate(leave);
      else setTimeout(leave, tookMs);
    }
  }
}

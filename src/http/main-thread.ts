import type { Session } from '../context.ts';
import { type Client, Turns } from './turns.ts';

const WAITING_MAX = 1_000;
const WAIT_MAX_MS = 10_000;

/**
 * Runs work that keeps the event loop busy for long, as parsing megabytes of JSON does: one piece at a time, merchant by
 * merchant, and the event loop does what else is due between two pieces. Otherwise sixty such requests that arrive together
 * would run one behind the other, and everybody else's would wait for all of them.
 */
export class MainThread {
  readonly #turns = new Turns({ max: 1, maxPerMerchant: 1, waitingMax: WAITING_MAX, waitMaxMs: WAIT_MAX_MS });

  async run<T>(session: Session | null, client: Client, work: () => T): Promise<T> {
    const leave = await this.#turns.take(session, 1, client);
    try {
      return work();
    } finally {
      setImmediate(leave);
    }
  }
}

import type { Session } from '../../context.ts';
import type { ClientStream } from '../../limits/client-stream.ts';
import { FairLimiter } from './fair-limiter.ts';

const MAX_WAITING = 1_000;
const MAX_WAIT_MS = 10_000;
/** Shorter work needs no pause after it. Most work is far shorter. */
const SHORT_WORK_MS = 10;

/**
 * Runs work that blocks the event loop, such as parsing megabytes of JSON: one piece at a time, merchants round robin.
 * After a long piece the event loop stays free for as long as the piece took: a short request has up to six steps, and
 * each of them would otherwise wait for another long piece.
 */
export class BlockingWorkQueue {
  readonly #limiter = new FairLimiter({ max: 1, maxPerMerchant: 1, maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS });

  async run<T>(session: Session | null, client: ClientStream, work: () => T): Promise<T> {
    const release = await this.#limiter.acquire(session, 1, client);
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      const tookMs = performance.now() - startedAt;
      if (tookMs < SHORT_WORK_MS) setImmediate(release);
      else setTimeout(release, tookMs);
    }
  }
}

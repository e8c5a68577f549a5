import type { ClientStream } from '../../limits/client-stream.ts';
import type { Session } from '../../context.ts';
import { FairScheduler } from '../../limits/fair-scheduler.ts';
import type { ScheduledItem } from '../../limits/owner-account.ts';
import { HttpError } from '../protocol/problem.ts';

const MS_PER_S = 1_000;
/** Requests without a token share one queue. */
const NO_MERCHANT = '';

/** Null for a request without a token. */
type Owner = Pick<Session, 'merchantId'> | null;

export type FairLimits = {
  /** Sum of the weights that are active at once. One request is always admitted, however heavy it is. */
  max: number;
  /** The sum for one merchant while no other merchant is active. */
  maxPerMerchant: number;
  maxWaiting: number;
  maxWaitMs: number;
};

/** Frees what `acquire` has taken, except `kept` of it, by default nothing. Frees nothing twice. */
export type Release = (kept?: number) => void;

type WaitingRequest = ScheduledItem & {
  readonly since: number;
  readonly admit: () => void;
  readonly refuse: () => void;
};

/**
 * Limits concurrent requests and divides what it admits fairly between merchants, so that many or slow requests of some
 * merchants do not delay those of others. When too many wait, the last request of the merchant with the longest queue
 * is refused.
 */
export class FairLimiter {
  readonly #limits: FairLimits;
  readonly #scheduler: FairScheduler<WaitingRequest>;
  #refused = 0;
  #lastWaitMs = 0;

  constructor(limits: FairLimits) {
    this.#limits = limits;
    this.#scheduler = new FairScheduler({ max: limits.max, maxPerOwner: limits.maxPerMerchant });
  }

  get counts(): { active: number; waiting: number; refused: number } {
    return { active: this.#scheduler.running, waiting: this.#scheduler.waiting, refused: this.#refused };
  }

  /** Resolves when the request is admitted. Throws when it is refused. `held`: what it has taken already. */
  async acquire(session: Owner, weight: number, client: ClientStream, held = 0): Promise<Release> {
    const owner = ownerOf(session);
    const release = this.tryAcquire(session, weight, held);
    if (release) return release;
    this.check(session);
    if (this.#isFull()) this.#scheduler.last()!.refuse();
    return await this.#wait({ owner, weight, held }, client);
  }

  /** Admits a request if it need not wait; otherwise returns null. */
  tryAcquire(session: Owner, weight: number, held = 0): Release | null {
    const owner = ownerOf(session);
    return this.#scheduler.tryStart(owner, weight, held) ? this.#releaseOf({ owner, weight }) : null;
  }

  /** Waits for admission, and runs the work. Frees what it takes when the work ends, also if the client disconnects before. */
  async run<T>(session: Owner, weight: number, client: ClientStream, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(session, weight, client);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Throws if `acquire` would refuse the request, so that its body need not be read. */
  check(session: Owner): void {
    if (
      this.#isFull() &&
      this.#scheduler.waitingOf(ownerOf(session)) >= this.#scheduler.waitingOf(this.#scheduler.last()!.owner)
    )
      throw this.#refusal();
  }

  async #wait(item: ScheduledItem, client: ClientStream): Promise<Release> {
    if (client.destroyed) throw clientGone();
    return await new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        client.off('close', abort);
      };
      const end = (): void => (settle(), this.#scheduler.remove(waiting));
      const abort = (): void => (end(), reject(clientGone()));
      const refuse = (): void => (end(), reject(this.#refusal()));
      const admit = (): void => (settle(), resolve(this.#releaseOf(item)));
      const waiting: WaitingRequest = { ...item, since: performance.now(), admit, refuse };
      const timer = setTimeout(refuse, this.#limits.maxWaitMs);
      client.once('close', abort);
      this.#scheduler.push(waiting);
      this.#admitWaiting();
    });
  }

  #releaseOf({ owner, weight }: ScheduledItem): Release {
    const admittedAtMs = performance.now();
    let taken = weight;
    return (kept = 0) => {
      if (kept >= taken) return;
      this.#scheduler.record(owner, performance.now() - admittedAtMs);
      this.#scheduler.end(owner, taken - kept);
      taken = kept;
      this.#admitWaiting();
    };
  }

  #admitWaiting(): void {
    for (let next = this.#scheduler.next(); next; next = this.#scheduler.next()) {
      this.#lastWaitMs = performance.now() - next.since;
      next.admit();
    }
  }

  #isFull(): boolean {
    return this.#scheduler.waiting >= this.#limits.maxWaiting;
  }

  #refusal(): HttpError {
    this.#refused += 1;
    const seconds = Math.max(1, Math.ceil(this.#lastWaitMs / MS_PER_S));
    return new HttpError(503, 'Too many requests are waiting. Try again later.', { 'retry-after': String(seconds) });
  }
}

/** The error of a request whose client has disconnected before it was admitted. */
export function clientGone(): HttpError {
  return new HttpError(503, 'The client did not wait.');
}

/** Calls `release` when the response is sent or the client disconnects. */
export function releaseOnClose(client: ClientStream, release: Release): void {
  if (client.destroyed) release();
  else client.once('close', release);
}

function ownerOf(session: Owner): string {
  return session?.merchantId ?? NO_MERCHANT;
}

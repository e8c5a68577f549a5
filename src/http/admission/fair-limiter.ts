import type { ClientStream } from '../../client-stream.ts';
import type { Session } from '../../context.ts';
import { RoundRobinQueue } from '../../round-robin-queue.ts';
import { HttpError } from '../protocol/problem.ts';

const MS_PER_S = 1_000;
/** Requests without a token share one queue. */
const NO_MERCHANT = '';

export type FairLimits = {
  /** Sum of the weights that are active at once. One request is always admitted, however heavy it is. */
  max: number;
  /** The sum for one merchant, so that slow requests of one merchant cannot block the others. */
  maxPerMerchant: number;
  maxWaiting: number;
  maxWaitMs: number;
};

/** Frees what `acquire` has taken. Further calls have no effect. */
export type Release = () => void;

type WaitingRequest = {
  readonly owner: string;
  readonly weight: number;
  readonly since: number;
  readonly admit: () => void;
  readonly refuse: () => void;
};

/**
 * Limits concurrent requests. Merchants are admitted round robin and the requests of one merchant in order, so that
 * many requests of one merchant delay only its own. When too many wait, the last request of the merchant with the
 * longest queue is refused.
 */
export class FairLimiter {
  readonly #limits: FairLimits;
  readonly #queue = new RoundRobinQueue<WaitingRequest>();
  readonly #activeByOwner = new Map<string, number>();
  #active = 0;
  #refused = 0;
  #lastWaitMs = 0;

  constructor(limits: FairLimits) {
    this.#limits = limits;
  }

  get counts(): { active: number; waiting: number; refused: number } {
    return { active: this.#active, waiting: this.#queue.size, refused: this.#refused };
  }

  /** Resolves when the request is admitted. Throws when it is refused. */
  async acquire(session: Session | null, weight: number, client: ClientStream): Promise<Release> {
    const owner = ownerOf(session);
    const release = this.tryAcquire(session, weight);
    if (release) return release;
    this.check(session);
    if (this.#isFull()) this.#queue.last()!.refuse();
    return await this.#wait(owner, weight, client);
  }

  /** Admits a request if it need not wait; otherwise returns null. */
  tryAcquire(session: Session | null, weight: number): Release | null {
    const owner = ownerOf(session);
    return this.#queue.size === 0 && this.#fitsShare(owner, weight) && this.#fits(weight)
      ? this.#admit(owner, weight)
      : null;
  }

  /** Throws if `acquire` would refuse the request, so that its body need not be read. */
  check(session: Session | null): void {
    if (this.#isFull() && this.#queue.lengthOf(ownerOf(session)) >= this.#queue.lengthOf(this.#queue.last()!.owner))
      throw this.#refusal();
  }

  async #wait(owner: string, weight: number, client: ClientStream): Promise<Release> {
    return await new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        client.off('close', abort);
      };
      const end = (): void => (settle(), this.#queue.remove(waiting));
      const abort = (): void => (end(), reject(new HttpError(503, 'The client did not wait.')));
      const refuse = (): void => (end(), reject(this.#refusal()));
      const admit = (): void => (settle(), resolve(this.#admit(owner, weight)));
      const waiting: WaitingRequest = { owner, weight, since: performance.now(), admit, refuse };
      const timer = setTimeout(refuse, this.#limits.maxWaitMs);
      client.once('close', abort);
      this.#queue.push(waiting);
      this.#admitWaiting();
    });
  }

  #admit(owner: string, weight: number): Release {
    this.#addActive(owner, weight);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#addActive(owner, -weight);
      this.#admitWaiting();
    };
  }

  #admitWaiting(): void {
    for (let next = this.#next(); next && this.#fits(next.weight); next = this.#next()) {
      this.#queue.take(next);
      this.#lastWaitMs = performance.now() - next.since;
      next.admit();
    }
  }

  #next(): WaitingRequest | undefined {
    return this.#queue.next(({ owner, weight }) => this.#fitsShare(owner, weight));
  }

  #fitsShare(owner: string, weight: number): boolean {
    const active = this.#activeByOwner.get(owner) ?? 0;
    return active === 0 || active + weight <= this.#limits.maxPerMerchant;
  }

  #fits(weight: number): boolean {
    return this.#active === 0 || this.#active + weight <= this.#limits.max;
  }

  #isFull(): boolean {
    return this.#queue.size >= this.#limits.maxWaiting;
  }

  #addActive(owner: string, weight: number): void {
    const active = (this.#activeByOwner.get(owner) ?? 0) + weight;
    if (active === 0) this.#activeByOwner.delete(owner);
    else this.#activeByOwner.set(owner, active);
    this.#active += weight;
  }

  #refusal(): HttpError {
    this.#refused += 1;
    const seconds = Math.max(1, Math.ceil(this.#lastWaitMs / MS_PER_S));
    return new HttpError(503, 'Too many requests are waiting. Try again later.', { 'retry-after': String(seconds) });
  }
}

function ownerOf(session: Session | null): string {
  return session?.merchantId ?? NO_MERCHANT;
}

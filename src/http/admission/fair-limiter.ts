import type { EventEmitter } from 'node:events';
import type { Session } from '../../context.ts';
import { RoundRobinQueue } from '../../round-robin-queue.ts';
import { HttpError } from '../protocol/problem.ts';

const MS_PER_S = 1_000;
/** Who has no token waits with all others who have none. */
const NO_MERCHANT = '';

export type TurnLimits = {
  /** What all that is inside weighs together; one is always let in. */
  max: number;
  /** The same of one merchant, so that what takes long keeps no other merchant out. */
  maxPerMerchant: number;
  /** How many may wait, and how long one does. */
  waitingMax: number;
  waitMaxMs: number;
};

/** Emits `close` when nobody waits for the answer any more. */
export type Client = Pick<EventEmitter, 'once' | 'off'> & { readonly destroyed?: boolean };

type Waiting = {
  readonly owner: string;
  readonly weight: number;
  readonly since: number;
  readonly enter: () => void;
  readonly refuse: () => void;
};

/**
 * Lets merchants in by turns, and the requests of each as they came, so that many requests of one merchant
 * delay its own alone. When too many wait, the last one of the merchant with the most of them is refused.
 */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #queue = new RoundRobinQueue<Waiting>();
  readonly #insideOf = new Map<string, number>();
  #inside = 0;
  #refused = 0;
  #lastWaitMs = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  get counts(): { inside: number; waiting: number; refused: number } {
    return { inside: this.#inside, waiting: this.#queue.size, refused: this.#refused };
  }

  /** Answers, when it is the request's turn, with what ends the turn. Throws when it is refused instead. */
  async take(session: Session | null, weight: number, client: Client): Promise<() => void> {
    const owner = ownerOf(session);
    const leave = this.tryTake(session, weight);
    if (leave) return leave;
    this.check(session);
    if (this.#isFull()) this.#queue.last()!.refuse();
    return await this.#wait(owner, weight, client);
  }

  /** What ends the turn, or null where the request would have to wait for it. */
  tryTake(session: Session | null, weight: number): (() => void) | null {
    const owner = ownerOf(session);
    return this.#queue.size === 0 && this.#hasShare(owner, weight) && this.#fits(weight)
      ? this.#enter(owner, weight)
      : null;
  }

  /** Throws when `take` would refuse the request: it need not send its body. */
  check(session: Session | null): void {
    if (this.#isFull() && this.#queue.lengthOf(ownerOf(session)) >= this.#queue.lengthOf(this.#queue.last()!.owner))
      throw this.#refusal();
  }

  async #wait(owner: string, weight: number, client: Client): Promise<() => void> {
    return await new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        client.off('close', leave);
      };
      const end = (): void => (settle(), this.#queue.remove(waiting));
      const leave = (): void => (end(), reject(new HttpError(503, 'The client did not wait.')));
      const refuse = (): void => (end(), reject(this.#refusal()));
      const enter = (): void => (settle(), resolve(this.#enter(owner, weight)));
      const waiting: Waiting = { owner, weight, since: performance.now(), enter, refuse };
      const timer = setTimeout(refuse, this.#limits.waitMaxMs);
      client.once('close', leave);
      this.#queue.push(waiting);
      this.#admit();
    });
  }

  #enter(owner: string, weight: number): () => void {
    this.#add(owner, weight);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#add(owner, -weight);
      this.#admit();
    };
  }

  #admit(): void {
    for (let next = this.#next(); next && this.#fits(next.weight); next = this.#next()) {
      this.#queue.serve(next);
      this.#lastWaitMs = performance.now() - next.since;
      next.enter();
    }
  }

  #next(): Waiting | undefined {
    return this.#queue.next(({ owner, weight }) => this.#hasShare(owner, weight));
  }

  #hasShare(owner: string, weight: number): boolean {
    const own = this.#insideOf.get(owner) ?? 0;
    return own === 0 || own + weight <= this.#limits.maxPerMerchant;
  }

  #fits(weight: number): boolean {
    return this.#inside === 0 || this.#inside + weight <= this.#limits.max;
  }

  #isFull(): boolean {
    return this.#queue.size >= this.#limits.waitingMax;
  }

  #add(owner: string, weight: number): void {
    const own = (this.#insideOf.get(owner) ?? 0) + weight;
    if (own === 0) this.#insideOf.delete(owner);
    else this.#insideOf.set(owner, own);
    this.#inside += weight;
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

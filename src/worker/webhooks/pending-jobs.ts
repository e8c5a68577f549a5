import type { EndpointSlots } from './endpoint-slots.ts';
import type { Job } from './job.ts';
import type { PayloadBudget } from './payload-budget.ts';

/** An endpoint that answers quickly frees slots in less time, even on a busy machine. */
const MAX_SLOT_WAIT_MS = 50;
/** Fewer jobs are not admitted while more are pending, so that one statement claims many of them. */
const MIN_BATCH_SIZE = 32;

type Waiting = { jobs: Job[]; deadlineMs: number };

/** `admitted`: the jobs that got a slot. `refused`: those that got none before the deadline. */
export type Admission = { admitted: Job[]; refused: Job[] };

/**
 * Jobs taken from the queue that wait for a slot, at most `MAX_SLOT_WAIT_MS`. The wait spares the jobs of quick
 * endpoints a move to a lane of their own. Jobs of an endpoint that is known to be slow do not wait.
 */
export class PendingJobs {
  readonly #slots: EndpointSlots;
  readonly #budget: PayloadBudget;
  readonly #waiting = new Map<string, Waiting>();

  constructor(slots: EndpointSlots, budget: PayloadBudget) {
    this.#slots = slots;
    this.#budget = budget;
  }

  add(jobs: readonly Job[]): void {
    const deadlineMs = performance.now() + MAX_SLOT_WAIT_MS;
    for (const [merchantId, own] of Map.groupBy(jobs, (job) => job.merchantId)) {
      const waiting = this.#waiting.get(merchantId);
      if (waiting) waiting.jobs.push(...own);
      else this.#waiting.set(merchantId, { jobs: own, deadlineMs });
    }
  }

  /** One claim takes all admitted jobs of a merchant. */
  admit(): Admission {
    const admission: Admission = { admitted: [], refused: [] };
    for (const [merchantId, waiting] of this.#waiting) {
      const kept = this.#admitOf(merchantId, waiting, admission);
      if (kept.length > 0) waiting.jobs = kept;
      else this.#waiting.delete(merchantId);
    }
    return admission;
  }

  /** Removes and returns all pending jobs. */
  drain(): Job[] {
    const jobs = [...this.#waiting.values()].flatMap((waiting) => waiting.jobs);
    this.#waiting.clear();
    return jobs;
  }

  isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** True if no further job of the merchant could be admitted now. */
  isFull(merchantId: string): boolean {
    return (
      this.#waiting.has(merchantId) ||
      this.#slots.freeForMerchant(merchantId) === 0 ||
      this.#budget.claimable(merchantId) === 0
    );
  }

  /** The merchants of which no further job could be admitted now. */
  fullMerchants(): string[] {
    const known = new Set([...this.#waiting.keys(), ...this.#slots.merchants()]);
    return [...known].filter((merchantId) => this.isFull(merchantId));
  }

  /** The time in milliseconds after which the next jobs without a slot are refused; Infinity without such jobs. */
  remainingMs(): number {
    const deadlinesMs = [...this.#waiting.values()].map(({ deadlineMs }) => deadlineMs);
    return Math.max(Math.min(...deadlinesMs) - performance.now(), 0);
  }

  /** Admits jobs of one merchant. Returns those that stay pending. */
  #admitOf(merchantId: string, { jobs, deadlineMs }: Waiting, admission: Admission): Job[] {
    const mayWait = performance.now() < deadlineMs;
    let claimable = this.#budget.claimable(merchantId);
    const kept: Job[] = [];
    for (const own of Map.groupBy(jobs, ({ endpointKey }) => endpointKey).values()) {
      const before = admission.admitted.length;
      kept.push(...this.#admitOfEndpoint(own, { claimable, mayWait }, admission));
      claimable -= admission.admitted.length - before;
    }
    return kept;
  }

  #admitOfEndpoint(jobs: Job[], limits: { claimable: number; mayWait: boolean }, { admitted, refused }: Admission) {
    const owner = jobs[0]!;
    const mayWait = limits.mayWait && !this.#slots.isSlow(owner);
    const free = this.#slots.freeFor(owner);
    if (mayWait && free < Math.min(jobs.length, MIN_BATCH_SIZE)) return jobs;
    const count = Math.min(free, limits.claimable, jobs.length);
    for (const job of jobs.slice(0, count)) this.#slots.take(job);
    admitted.push(...jobs.slice(0, count));
    if (mayWait) return jobs.slice(count);
    refused.push(...jobs.slice(count));
    if (count < jobs.length) this.#slots.markSlow(owner);
    return [];
  }
}

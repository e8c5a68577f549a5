import type { EndpointSlots } from './endpoint-slots.ts';
import type { Job } from './job.ts';
import type { PayloadBudget } from './payload-budget.ts';

/** An endpoint that answers quickly frees slots in less time, even on a busy machine. */
const MAX_SLOT_WAIT_MS = 50;
/** Fewer jobs are not admitted while more are pending, so that one statement claims many of them. */
const MIN_BATCH_SIZE = 32;

/** `admitted`: the jobs that got a slot. `refused`: those that got none before the deadline. */
export type Admission = { admitted: Job[]; refused: Job[] };

/**
 * Jobs taken from the queue that wait for a slot, at most `MAX_SLOT_WAIT_MS`. The wait spares the jobs of quick
 * endpoints a move to a lane of their own. Jobs of an endpoint that is known to be slow do not wait.
 */
export class PendingJobs {
  readonly #slots: EndpointSlots;
  readonly #budget: PayloadBudget;
  #waiting: Job[] = [];
  #deadlineMs = 0;

  constructor(slots: EndpointSlots, budget: PayloadBudget) {
    this.#slots = slots;
    this.#budget = budget;
  }

  add(jobs: readonly Job[]): void {
    if (jobs.length === 0) return;
    this.#waiting.push(...jobs);
    this.#deadlineMs = performance.now() + MAX_SLOT_WAIT_MS;
  }

  admit(): Admission {
    const admission: Admission = { admitted: [], refused: [] };
    const kept: Job[] = [];
    // One claim takes all admitted jobs of a merchant.
    for (const [merchantId, own] of Map.groupBy(this.#waiting, (job) => job.merchantId)) {
      let claimable = this.#budget.claimable(merchantId);
      for (const jobs of Map.groupBy(own, ({ endpointKey }) => endpointKey).values()) {
        const before = admission.admitted.length;
        kept.push(...this.#admitOf(jobs, claimable, admission));
        claimable -= admission.admitted.length - before;
      }
    }
    this.#waiting = kept;
    return admission;
  }

  /** Removes and returns all pending jobs. */
  drain(): Job[] {
    return this.#waiting.splice(0);
  }

  isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** The time in milliseconds after which jobs without a slot are refused. */
  remainingMs(): number {
    return Math.max(this.#deadlineMs - performance.now(), 0);
  }

  /** Admits jobs of one owner. Returns those that stay pending. */
  #admitOf(jobs: Job[], claimable: number, { admitted, refused }: Admission): Job[] {
    const owner = jobs[0]!;
    const mayWait = !this.#slots.isSlow(owner) && this.remainingMs() > 0;
    const free = this.#slots.freeFor(owner);
    if (mayWait && free < Math.min(jobs.length, MIN_BATCH_SIZE)) return jobs;
    const count = Math.min(free, claimable, jobs.length);
    for (const job of jobs.slice(0, count)) this.#slots.take(job);
    admitted.push(...jobs.slice(0, count));
    if (mayWait) return jobs.slice(count);
    refused.push(...jobs.slice(count));
    if (count < jobs.length) this.#slots.markSlow(owner);
    return [];
  }
}

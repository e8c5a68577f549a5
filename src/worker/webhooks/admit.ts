import type { EndpointSlots } from './endpoint-slots.ts';
import type { Job } from './job.ts';
import type { PayloadBudget } from './payload-budget.ts';

/** An endpoint that answers quickly has free slots again in less, even on a busy machine. */
const SLOT_WAIT_MAX_MS = 50;
/** Fewer jobs are not admitted while more of them wait: one statement claims them together. */
const ADMITTED_TOGETHER_MIN = 32;

/** Jobs that got a slot, and jobs for which there was none in time. */
export type Admission = { admitted: Job[]; refused: Job[] };

/**
 * Jobs that were taken from the queue and wait for a slot. They are taken while earlier ones are being sent,
 * and the jobs of a quick endpoint need not be written to a lane of its own. Jobs of an endpoint that is known
 * to be slow do not wait.
 */
export class PendingJobs {
  readonly #slots: EndpointSlots;
  readonly #budget: PayloadBudget;
  #waiting: Job[] = [];
  #endsAtMs = 0;

  constructor(slots: EndpointSlots, budget: PayloadBudget) {
    this.#slots = slots;
    this.#budget = budget;
  }

  add(jobs: readonly Job[]): void {
    if (jobs.length === 0) return;
    this.#waiting.push(...jobs);
    this.#endsAtMs = performance.now() + SLOT_WAIT_MAX_MS;
  }

  admit(): Admission {
    const admission: Admission = { admitted: [], refused: [] };
    const kept: Job[] = [];
    // All that is admitted of one merchant now goes into one claim.
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

  /** Removes and answers all that wait. */
  drain(): Job[] {
    return this.#waiting.splice(0);
  }

  isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Until those that wait are refused. */
  remainingMs(): number {
    return Math.max(this.#endsAtMs - performance.now(), 0);
  }

  /** The jobs have one owner. Answers those that go on waiting. */
  #admitOf(jobs: Job[], claimable: number, { admitted, refused }: Admission): Job[] {
    const owner = jobs[0]!;
    const mayWait = !this.#slots.isSlow(owner) && this.remainingMs() > 0;
    const free = this.#slots.freeFor(owner);
    if (mayWait && free < Math.min(jobs.length, ADMITTED_TOGETHER_MIN)) return jobs;
    const count = Math.min(free, claimable, jobs.length);
    for (const job of jobs.slice(0, count)) this.#slots.take(job);
    admitted.push(...jobs.slice(0, count));
    if (mayWait) return jobs.slice(count);
    refused.push(...jobs.slice(count));
    if (count < jobs.length) this.#slots.markSlow(owner);
    return [];
  }
}

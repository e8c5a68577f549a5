import { FairScheduler } from '../../limits/fair-scheduler.ts';
import type { ScheduledItem } from '../../limits/owner-account.ts';

/** Processes for merchants with nothing running. A quarter of so few would be none. */
const RESERVED = 1;

export type QueueLimits = {
  /** Concurrent jobs, and those of one merchant while no other merchant is active. */
  readonly running: number;
  readonly runningPerMerchant: number;
  /** Waiting jobs, and the bytes that they hold in memory. */
  readonly waiting: number;
  readonly waitingBytes: number;
};

export type QueuedJob = ScheduledItem & {
  readonly bytes: number;
  /** Called instead of running the job when the queue is full. */
  refuse(): void;
};

/**
 * Divides the decoder processes fairly between merchants. A full queue refuses the newest job of the merchant with the
 * most waiting, so that a flood displaces only its own jobs.
 */
export class DecodeQueue<Job extends QueuedJob> {
  readonly #limits: QueueLimits;
  readonly #scheduler: FairScheduler<Job>;
  readonly #startedAtMs = new WeakMap<Job, number>();
  #waitingBytes = 0;

  constructor(limits: QueueLimits) {
    const { running, runningPerMerchant } = limits;
    this.#limits = limits;
    this.#scheduler = new FairScheduler({
      max: running,
      maxPerOwner: runningPerMerchant,
      reserved: RESERVED,
    });
  }

  get waiting(): number {
    return this.#scheduler.waiting;
  }

  push(job: Job): void {
    this.#scheduler.push(job);
    this.#waitingBytes += job.bytes;
  }

  /** Takes the next job. `done` frees its place. */
  next(): Job | undefined {
    const job = this.#scheduler.next();
    if (!job) return undefined;
    this.#waitingBytes -= job.bytes;
    this.#startedAtMs.set(job, performance.now());
    return job;
  }

  done(job: Job): void {
    this.#scheduler.record(job.owner, performance.now() - this.#startedAtMs.get(job)!);
    this.#scheduler.end(job.owner, job.weight);
  }

  /** Refuses jobs past the limits. Called after the jobs that need not wait were taken. */
  trim(): void {
    while (this.waiting > this.#limits.waiting) this.#refuseLast((queue) => queue.length);
    while (this.#waitingBytes > this.#limits.waitingBytes)
      this.#refuseLast((queue) => queue.reduce((sum, { bytes }) => sum + bytes, 0));
  }

  clear(): void {
    const waiting = [...this.#scheduler.items()];
    waiting.forEach((job) => this.#refuse(job));
  }

  /** Of merchants with equal sizes, the last one. */
  #refuseLast(sizeOf: (queue: Job[]) => number): void {
    const queues = [...Map.groupBy(this.#scheduler.items(), ({ owner }) => owner).values()];
    const largest = queues.reduce((largest, queue) => (sizeOf(queue) >= sizeOf(largest) ? queue : largest));
    this.#refuse(largest.at(-1)!);
  }

  #refuse(job: Job): void {
    this.#scheduler.remove(job);
    this.#waitingBytes -= job.bytes;
    job.refuse();
  }
}

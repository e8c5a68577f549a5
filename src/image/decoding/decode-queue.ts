export type QueueLimits = {
  /** Concurrent jobs of one merchant. */
  readonly runningPerMerchant: number;
  /** Waiting jobs, and the bytes that they hold in memory. */
  readonly waiting: number;
  readonly waitingBytes: number;
};

export type QueuedJob = {
  readonly merchantId: string;
  readonly bytes: number;
  /** Called instead of running the job when the queue is full. */
  refuse(): void;
};

/**
 * Serves merchants round robin, with a limit of concurrent jobs per merchant; the jobs of one merchant keep their
 * order. A full queue refuses the newest job of the merchant with the most waiting, so that a flood displaces only its
 * own jobs.
 */
export class DecodeQueue<Job extends QueuedJob> {
  readonly #limits: QueueLimits;
  /** The merchant served next comes first. */
  readonly #queues = new Map<string, Job[]>();
  readonly #running = new Map<string, number>();
  #waiting = 0;
  #waitingBytes = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting;
  }

  push(job: Job): void {
    const queue = this.#queues.get(job.merchantId);
    if (queue) queue.push(job);
    else this.#queues.set(job.merchantId, [job]);
    this.#count(job, 1);
  }

  /** Takes the next job. `done` frees its place. */
  next(): Job | undefined {
    for (const [merchantId, queue] of this.#queues) {
      const running = this.#running.get(merchantId) ?? 0;
      if (running >= this.#limits.runningPerMerchant) continue;
      this.#running.set(merchantId, running + 1);
      this.#queues.delete(merchantId);
      const job = queue.shift()!;
      if (queue.length > 0) this.#queues.set(merchantId, queue);
      this.#count(job, -1);
      return job;
    }
    return undefined;
  }

  done({ merchantId }: Job): void {
    const running = this.#running.get(merchantId)! - 1;
    if (running === 0) this.#running.delete(merchantId);
    else this.#running.set(merchantId, running);
  }

  /** Refuses jobs past the limits. Called after the jobs that need not wait were taken. */
  trim(): void {
    while (this.#waiting > this.#limits.waiting) this.#refuseLast((queue) => queue.length);
    while (this.#waitingBytes > this.#limits.waitingBytes)
      this.#refuseLast((queue) => queue.reduce((sum, { bytes }) => sum + bytes, 0));
  }

  clear(): void {
    for (const queue of this.#queues.values()) queue.forEach((job) => job.refuse());
    this.#queues.clear();
    [this.#waiting, this.#waitingBytes] = [0, 0];
  }

  /** Of merchants with equal sizes, the last one. */
  #refuseLast(sizeOf: (queue: Job[]) => number): void {
    const queues = [...this.#queues.values()];
    const largest = queues.reduce((largest, queue) => (sizeOf(queue) >= sizeOf(largest) ? queue : largest));
    const job = largest.pop()!;
    if (largest.length === 0) this.#queues.delete(job.merchantId);
    this.#count(job, -1);
    job.refuse();
  }

  #count({ bytes }: Job, sign: 1 | -1): void {
    this.#waiting += sign;
    this.#waitingBytes += sign * bytes;
  }
}

export type QueueLimits = {
  /** Jobs of one merchant that run at once. */
  readonly runningPerMerchant: number;
  /** Jobs that wait, and what they hold in memory meanwhile. */
  readonly waiting: number;
  readonly waitingBytes: number;
};

export type QueuedJob = {
  readonly merchantId: string;
  readonly bytes: number;
  /** Called instead of running it, when too much waits. */
  refuse(): void;
};

/**
 * Jobs by merchant: merchants take turns, the jobs of each keep their order, and one merchant leaves room to the others.
 * When too much waits, the newest job of the merchant that has the most waiting is refused: who floods the queue
 * crowds out itself alone.
 */
export class DecodeQueue<Job extends QueuedJob> {
  readonly #limits: QueueLimits;
  /** The merchant whose turn is next comes first. */
  readonly #lines = new Map<string, Job[]>();
  readonly #running = new Map<string, number>();
  #waiting = 0;
  #waitingBytes = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  push(job: Job): void {
    const line = this.#lines.get(job.merchantId);
    if (line) line.push(job);
    else this.#lines.set(job.merchantId, [job]);
    this.#count(job, 1);
  }

  /** Takes the job whose turn it is; `done` ends it. */
  next(): Job | undefined {
    for (const [merchantId, line] of this.#lines) {
      const running = this.#running.get(merchantId) ?? 0;
      if (running >= this.#limits.runningPerMerchant) continue;
      this.#running.set(merchantId, running + 1);
      this.#lines.delete(merchantId);
      const job = line.shift()!;
      if (line.length > 0) this.#lines.set(merchantId, line);
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

  /** Refuses what is too much, once those have been taken that need not wait. */
  trim(): void {
    while (this.#waiting > this.#limits.waiting) this.#refuseLast((line) => line.length);
    while (this.#waitingBytes > this.#limits.waitingBytes)
      this.#refuseLast((line) => line.reduce((sum, { bytes }) => sum + bytes, 0));
  }

  clear(): void {
    for (const line of this.#lines.values()) line.forEach((job) => job.refuse());
    this.#lines.clear();
    [this.#waiting, this.#waitingBytes] = [0, 0];
  }

  /** Of merchants that have as much, the one that came last. */
  #refuseLast(sizeOf: (line: Job[]) => number): void {
    const lines = [...this.#lines.values()];
    const largest = lines.reduce((largest, line) => (sizeOf(line) >= sizeOf(largest) ? line : largest));
    const job = largest.pop()!;
    if (largest.length === 0) this.#lines.delete(job.merchantId);
    this.#count(job, -1);
    job.refuse();
  }

  #count({ bytes }: Job, sign: 1 | -1): void {
    this.#waiting += sign;
    this.#waitingBytes += sign * bytes;
  }
}

/** Items of this duration in sum replace the average of an owner. */
const RUN_MEMORY_MS = 1_000;

/** What an owner uses of the units of a FairScheduler, and its items that wait. */
export class OwnerAccount<T> {
  readonly owner: string;
  readonly waiting: T[] = [];
  /** Units in use. */
  running = 0;
  /** Virtual time: milliseconds of all units, up to `countedAtMs`. */
  usedMs = -Infinity;
  countedAtMs = 0;
  /** How long an item takes on average; undefined before the first has ended. */
  meanRunMs: number | undefined;

  constructor(owner: string) {
    this.owner = owner;
  }

  get isActive(): boolean {
    return this.running > 0 || this.waiting.length > 0;
  }

  record(tookMs: number): void {
    this.meanRunMs = blend(this.meanRunMs ?? 0, tookMs, RUN_MEMORY_MS);
  }
}

/** An average weighted by duration: many short items cannot hide a long one. */
export function blend(meanMs: number, tookMs: number, memoryMs: number): number {
  return meanMs + (tookMs - meanMs) * Math.min(1, tookMs / memoryMs);
}

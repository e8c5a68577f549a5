/** Items of this duration in sum replace the average of an owner. */
const RUN_MEMORY_MS = 1_000;

/** Work that waits for units. `weight`: how many it uses. `held`: how many it has already, if it needs more to go on. */
export type ScheduledItem = { readonly owner: string; readonly weight: number; readonly held?: number };

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

  /** Used virtual time. `rate`: that of one unit in a millisecond. */
  usedUntil(nowMs: number, rate: number): number {
    return this.running === 0 ? this.usedMs : this.usedMs + this.running * rate * (nowMs - this.countedAtMs);
  }

  count(nowMs: number, rate: number): void {
    this.usedMs = this.usedUntil(nowMs, rate);
    this.countedAtMs = nowMs;
  }

  /** How long the next item will probably take. `mean`: how long those of all owners take. */
  expectedMs(mean: number): number {
    return this.meanRunMs ?? mean;
  }

  record(tookMs: number): void {
    this.meanRunMs = blend(this.meanRunMs ?? 0, tookMs, RUN_MEMORY_MS);
  }
}

/** An average weighted by duration: many short items cannot hide a long one. */
export function blend(meanMs: number, tookMs: number, memoryMs: number): number {
  return meanMs + (tookMs - meanMs) * Math.min(1, tookMs / memoryMs);
}

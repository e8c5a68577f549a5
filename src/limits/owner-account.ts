/** Items of this duration in sum replace the average of an owner. */
const RUN_MEMORY_MS = 1_000;
/** Items of this average duration are short, and those of this part of the average duration of all owners' items. */
const SHORT_RUN_MS = 50;
const SHORT_RUN_PART = 1 / 2;

/**
 * Work that waits for units. `weight`: how many it uses. `held`: how many it has already, if it needs more to go on.
 * `isShort`: whether it takes little time; where this is not known, the measured times of the owner's items tell it.
 */
export type ScheduledItem = {
  readonly owner: string;
  readonly weight: number;
  readonly held?: number;
  readonly isShort?: boolean;
};

/** What an owner uses of the units of a FairScheduler, and its items that wait. */
export class OwnerAccount<T extends ScheduledItem = ScheduledItem> {
  readonly owner: string;
  readonly waiting: T[] = [];
  /** Units in use. */
  running = 0;
  /** Units of long items. Which of the items has ended is not known: probably a short one. */
  longRunning = 0;
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

  /**
   * Adds a waiting item. Items that already hold units come first, because the others wait for these units; among them
   * the lightest, because it fits if any of them does.
   */
  enqueue(item: T): void {
    const at = item.held ? this.waiting.findIndex(({ held, weight }) => !held || weight > item.weight) : -1;
    this.waiting.splice(at === -1 ? this.waiting.length : at, 0, item);
  }

  /** Used virtual time. `rate`: that of one unit in a millisecond. */
  usedUntil(nowMs: number, rate: number): number {
    return this.running === 0 ? this.usedMs : this.usedMs + this.running * rate * (nowMs - this.countedAtMs);
  }

  count(nowMs: number, rate: number): void {
    this.usedMs = this.usedUntil(nowMs, rate);
    this.countedAtMs = nowMs;
  }

  /** Units that an item takes; negative when it ends. */
  add(weight: number, isShort: boolean): void {
    this.running += weight;
    this.longRunning = Math.min(this.running, this.longRunning + (isShort ? 0 : weight));
  }

  /** How long the next item will probably take. `mean`: how long those of all owners take. */
  expectedMs(mean: number): number {
    return this.meanRunMs ?? mean;
  }

  /** Whether the item will probably take little time. `mean`: how long those of all owners take. */
  isShort(item: Pick<ScheduledItem, 'isShort'>, mean: number): boolean {
    return item.isShort ?? this.expectedMs(mean) <= Math.max(SHORT_RUN_MS, mean * SHORT_RUN_PART);
  }

  record(tookMs: number): void {
    this.meanRunMs = blend(this.meanRunMs ?? 0, tookMs, RUN_MEMORY_MS);
  }
}

/** An average weighted by duration: many short items cannot hide a long one. */
export function blend(meanMs: number, tookMs: number, memoryMs: number): number {
  return meanMs + (tookMs - meanMs) * Math.min(1, tookMs / memoryMs);
}

import { blend, OwnerAccount, type ScheduledItem } from './owner-account.ts';

/** The part of the units that only owners with nothing running may use, rounded down to whole units. */
const RESERVED_PART = 1 / 4;
/** Owners whose virtual times differ by less are served round robin. */
const QUANTUM_MS = 1;
/**
 * An owner that becomes active starts this much before the least used one, or where it was. Idle time earns no more.
 */
const WAKE_CREDIT_MS = 50;
/** Items of this duration in sum replace the average. It must not follow the last few: owners are compared with it. */
const RUN_MEMORY_MS = 10_000;
/** Idle owners whose used time is remembered. */
const MAX_IDLE_OWNERS = 1_000;

type Need = Omit<ScheduledItem, 'owner'>;

export type SchedulerLimits = {
  /** Units in use at once, such as connections, requests or bytes. One item always starts, however heavy it is. */
  readonly max: number;
  /** Units of one owner while no other owner is active. */
  readonly maxPerOwner: number;
  /** Units that only owners with nothing running may use; by default a quarter, rounded down to whole units. */
  readonly reserved?: number;
  /**
   * An owner that works for all others. It may use all units, does not reduce their shares, and is served first, up
   * to half of the units. Beyond that its time counts as used by all others.
   */
  readonly commonOwner?: string;
};

/**
 * Divides units between owners by weighted fair queuing, with measured times instead of known lengths:
 *
 * - An owner is active while it has an item running or waiting. Its share are `max` units divided by the number of
 *   active owners, and at least one item.
 * - A quarter of the units is reserved for owners with nothing running whose items are short: owners of long items,
 *   which cannot be interrupted, would occupy these units one after the other. Long items may use them while short ones
 *   use the other units, or few owners are active.
 * - Of the owners that are within their share, the one that has used the least time is served first, including what
 *   its next item will probably take, and the common owner before all. The items of one owner are served in
 *   order, those that hold units already first. An owner that was idle starts at the least used time of the active ones.
 */
export class FairScheduler<T extends ScheduledItem> {
  readonly #limits: SchedulerLimits;
  readonly #reserved: number;
  /** Owners with an item running or waiting. Of equal ones the first is served first. */
  readonly #active = new Map<string, OwnerAccount<T>>();
  /** The one that became idle first comes first, to be forgotten first. */
  readonly #idle = new Map<string, OwnerAccount<T>>();
  #running = 0;
  #longRunning = 0;
  #waiting = 0;
  /** The least used time of the active owners. It never goes back. */
  #virtualMs = 0;
  #meanRunMs = 0;

  constructor(limits: SchedulerLimits) {
    this.#limits = limits;
    const { max, maxPerOwner, reserved = Math.floor(max * RESERVED_PART) } = limits;
    this.#reserved = Math.min(reserved, max - maxPerOwner);
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  waitingOf(owner: string): number {
    return this.#active.get(owner)?.waiting.length ?? 0;
  }

  /** Starts an item that need not wait. Returns false if it has to. */
  tryStart(owner: string, weight: number, held = 0): boolean {
    if (this.#waiting > 0) return false;
    const account = this.#activate(owner);
    const item: Need = { weight, held };
    const isStarted = this.#fitsShare(account, item) && this.#hasRoom(account, item);
    if (isStarted) this.#add(account, weight, account.isShort(item, this.#meanRunMs));
    else this.#deactivate(account);
    return isStarted;
  }

  /** How many items of this weight `tryStart` would start now, one after another. */
  startable(owner: string, weight: number): number {
    if (this.#waiting > 0) return 0;
    const account = this.#activate(owner);
    const isStartable = this.#fitsShare(account, { weight }) && this.#hasRoom(account, { weight });
    const share = this.#shareOf(account) - account.running;
    const room = this.#limits.max - this.#reserved - this.#running;
    this.#deactivate(account);
    return isStartable ? Math.max(Math.floor(Math.min(share, room) / weight), 1) : 0;
  }

  push(item: T): void {
    this.#activate(item.owner).enqueue(item);
    this.#waiting += 1;
  }

  remove(item: T): void {
    const account = this.#active.get(item.owner)!;
    account.waiting.splice(account.waiting.indexOf(item), 1);
    this.#waiting -= 1;
    this.#deactivate(account);
  }

  /** Starts the next waiting item and returns it; undefined if none can start. */
  next(): T | undefined {
    if (this.#waiting === 0) return undefined;
    const first = this.#leastUsed((account, item) => this.#fitsShare(account, item));
    if (!first) return undefined;
    if (this.#hasRoom(first, first.waiting[0]!)) return this.#startFirst(first);
    // Only the reserved units may be used before the first one has room, or a heavy item would wait forever.
    const reserving = this.#leastUsed((account, item) => this.#mayUseReserved(account, item));
    return reserving && this.#hasRoom(reserving, reserving.waiting[0]!) ? this.#startFirst(reserving) : undefined;
  }

  /** Frees the units of an item that has ended. */
  end(owner: string, weight: number): void {
    const account = this.#active.get(owner)!;
    this.#add(account, -weight, true);
    this.#deactivate(account);
  }

  /** Records how long an item took. Called before `end`. */
  record(owner: string, tookMs: number): void {
    const account = this.#active.get(owner)!;
    account.count(performance.now(), this.#rateOf(account));
    account.record(tookMs);
    this.#meanRunMs = blend(this.#meanRunMs, tookMs, RUN_MEMORY_MS);
  }

  /** All items that wait. */
  *items(): Generator<T, void, undefined> {
    for (const { waiting } of this.#active.values()) yield* waiting;
  }

  /** The last item of the longest queue. */
  last(): T | undefined {
    let longest: T[] = [];
    for (const { waiting } of this.#active.values()) if (waiting.length > longest.length) longest = waiting;
    return longest.at(-1);
  }

  /** The first item of the owner that has all waiting items; undefined if several owners wait, or none. */
  firstOfOnlyOwner(): T | undefined {
    for (const { waiting } of this.#active.values())
      if (waiting.length > 0) return waiting.length === this.#waiting ? waiting[0] : undefined;
    return undefined;
  }

  #startFirst(account: OwnerAccount<T>): T {
    const item = account.waiting.shift()!;
    this.#waiting -= 1;
    this.#active.delete(account.owner);
    this.#active.set(account.owner, account);
    this.#add(account, item.weight, account.isShort(item, this.#meanRunMs));
    return item;
  }

  #add(account: OwnerAccount<T>, weight: number, isShort: boolean): void {
    account.count(performance.now(), this.#rateOf(account));
    this.#running += weight;
    this.#longRunning -= account.longRunning;
    account.add(weight, isShort);
    this.#longRunning += account.longRunning;
  }

  #fitsShare(account: OwnerAccount<T>, { weight, held = 0 }: Need): boolean {
    return account.running <= held || account.running + weight <= this.#shareOf(account);
  }

  #shareOf({ owner }: OwnerAccount<T>): number {
    const { max, maxPerOwner, commonOwner } = this.#limits;
    return owner === commonOwner ? Infinity : Math.min(maxPerOwner, max / this.#sharing());
  }

  #hasRoom(account: OwnerAccount<T>, item: Need): boolean {
    const spare = this.#limits.max - this.#running - item.weight;
    return this.#running === 0 || spare >= this.#reserved || (spare >= 0 && this.#mayUseReserved(account, item));
  }

  #mayUseReserved(account: OwnerAccount<T>, item: Need): boolean {
    const { max, commonOwner } = this.#limits;
    if (account.owner === commonOwner) return true;
    if (account.running > (item.held ?? 0)) return false;
    const unreserved = max - this.#reserved;
    if (account.isShort(item, this.#meanRunMs) || this.#longRunning + item.weight <= unreserved) return true;
    // All others can have an item running beside it. Measured times say little where the event loop is busy.
    return item.isShort === undefined && item.weight * this.#sharing() <= unreserved;
  }

  /** The number of active owners that have a share. */
  #sharing(): number {
    const { commonOwner } = this.#limits;
    return this.#active.size - (commonOwner !== undefined && this.#active.has(commonOwner) ? 1 : 0);
  }

  #leastUsed(isReady: (account: OwnerAccount<T>, item: Need) => boolean): OwnerAccount<T> | undefined {
    const { commonOwner, max } = this.#limits;
    const nowMs = performance.now();
    let least: OwnerAccount<T> | undefined;
    let leastQuanta = Infinity;
    for (const account of this.#active.values()) {
      const [first] = account.waiting;
      if (!first || !isReady(account, first)) continue;
      // Other owners wait for its items, such as merchants whose tokens are looked up and who are not active yet.
      if (account.owner === commonOwner && account.running + first.weight <= max / 2) return account;
      const rate = this.#rateOf(account);
      const expectedMs = Math.min(WAKE_CREDIT_MS, rate * first.weight * account.expectedMs(this.#meanRunMs));
      const quanta = Math.floor((account.usedUntil(nowMs, rate) + expectedMs) / QUANTUM_MS);
      if (quanta < leastQuanta) [least, leastQuanta] = [account, quanta];
    }
    return least;
  }

  /** The virtual time of a unit in a millisecond. */
  #rateOf({ owner }: OwnerAccount<T>): number {
    const { max, commonOwner } = this.#limits;
    return 1 / max / (owner === commonOwner ? Math.max(1, this.#sharing()) : 1);
  }

  #activate(owner: string): OwnerAccount<T> {
    const active = this.#active.get(owner);
    if (active) return active;
    this.#advance();
    const account = this.#idle.get(owner) ?? new OwnerAccount<T>(owner);
    account.usedMs = Math.max(account.usedMs, this.#virtualMs - WAKE_CREDIT_MS);
    this.#idle.delete(owner);
    this.#active.set(owner, account);
    return account;
  }

  #deactivate(account: OwnerAccount<T>): void {
    if (account.isActive) return;
    this.#advance();
    this.#active.delete(account.owner);
    this.#idle.set(account.owner, account);
    if (this.#idle.size > MAX_IDLE_OWNERS) this.#idle.delete(this.#idle.keys().next().value!);
  }

  #advance(): void {
    let leastMs = Infinity;
    for (const { usedMs } of this.#active.values()) leastMs = Math.min(leastMs, usedMs);
    if (leastMs < Infinity) this.#virtualMs = Math.max(this.#virtualMs, leastMs);
  }
}

import type { Tracing } from '../../tracing/span.ts';
import { MAX_CLAIMED_DELIVERIES } from '../../webhook/ledger/claim-deliveries.ts';
import type { PendingJobs } from './pending-jobs.ts';
import type { EndpointSlots } from './endpoint-slots.ts';
import { type Job, MERCHANT_LANES, merchantLaneOf } from './job.ts';
import { POLL_INTERVAL_MS, type Poller, traced } from './poller.ts';
import type { Queue } from './queue.ts';

/** Each inspection of the lanes of endpoints notifies this poller earlier: an idle worker polls once in an interval. */
const LATEST_POLL_MS = 2 * POLL_INTERVAL_MS;
/** How long the poller polls often after it has found jobs: as long as writers wait between two notifications. */
const ACTIVE_MS = 100;
const ACTIVE_POLL_INTERVAL_MS = 4;
/**
 * How long the poller polls each second after it has found jobs. A writer does not notify if another one has just done so.
 * The notification of the other is never sent if its transaction fails, and may come before this writer has committed.
 */
const RECENT_MS = 10_000;
const RECENT_POLL_INTERVAL_MS = 1_000;
/** How soon merchants are polled again that were left out, once one of them has a free slot. */
const LEFT_OUT_RETRY_MS = 25;

export type MerchantPollerDependencies = {
  queue: Pick<Queue, 'takeFromMerchants'>;
  slots: EndpointSlots;
  pending: PendingJobs;
  tracing?: Tracing | undefined;
};

/**
 * Takes jobs from the lanes of all merchants at once, the same number from each. Jobs of merchants that have no free
 * slot stay in the queue, so that they cost and delay nothing.
 */
export class MerchantPoller implements Poller {
  readonly #dependencies: MerchantPollerDependencies;
  /** The lanes below this one are polled next. */
  #below = MERCHANT_LANES;
  #dueAtMs = 0;
  #polledAtMs = -Infinity;
  #foundAtMs = -Infinity;
  #isFull = false;
  /** Merchants that were full at the last poll. */
  #leftOut: string[] = [];

  constructor(dependencies: MerchantPollerDependencies) {
    this.#dependencies = dependencies;
  }

  notify(): void {
    this.#dueAtMs = 0;
  }

  /** Polls each second for some time, since a transaction that failed may have kept others from notifying. */
  expectJobs(): void {
    this.#foundAtMs = Math.max(this.#foundAtMs, performance.now() - ACTIVE_MS);
    this.#dueAtMs = 0;
  }

  isWaitingForSlots(): boolean {
    return this.#isFull || this.#leftOut.length > 0;
  }

  remainingMs(): number {
    const leftOutAtMs = this.#isLeftOutReady() ? this.#polledAtMs + LEFT_OUT_RETRY_MS : Infinity;
    return Math.min(this.#isFull ? Infinity : this.#dueAtMs, leftOutAtMs) - performance.now();
  }

  async poll(receive: (jobs: Job[]) => void): Promise<boolean> {
    const { slots, pending, queue, tracing } = this.#dependencies;
    if (!this.#isFull && this.remainingMs() > 0) return false;
    const limit = Math.min(slots.free(), MAX_CLAIMED_DELIVERIES);
    this.#isFull = limit === 0;
    if (this.#isFull) return false;
    this.#leftOut = pending.fullMerchants();
    this.#polledAtMs = performance.now();
    // Set before the query, because a notification during the query resets it.
    this.#dueAtMs = this.#polledAtMs + LATEST_POLL_MS;
    const lanes = { limit, below: this.#below, exceptLanes: this.#leftOut.map(merchantLaneOf) };
    const jobs = await traced(tracing, () => queue.takeFromMerchants(lanes));
    const isMore = this.#continueBelow(jobs, limit);
    this.#schedule(jobs.length > 0, isMore);
    receive(jobs);
    return isMore;
  }

  #isLeftOutReady(): boolean {
    return this.#leftOut.some((merchantId) => !this.#dependencies.pending.isFull(merchantId));
  }

  /**
   * Remembers where the next poll continues: a poll that found a job in as many lanes as it may take jobs has not seen
   * the lanes below. True when there may be more jobs.
   */
  #continueBelow(jobs: readonly Job[], limit: number): boolean {
    const byMerchant = Map.groupBy(jobs, ({ merchantId }) => merchantId);
    const isFromTop = this.#below === MERCHANT_LANES;
    const isEnd = byMerchant.size < limit;
    this.#below = isEnd ? MERCHANT_LANES : Math.min(...byMerchant.keys().map(merchantLaneOf));
    if (!isEnd || !isFromTop) return true;
    const ofEach = Math.floor(limit / byMerchant.size);
    return byMerchant.values().some((own) => own.length >= ofEach);
  }

  #schedule(isFound: boolean, isMore: boolean): void {
    const nowMs = performance.now();
    if (isFound) this.#foundAtMs = nowMs;
    if (isMore) this.#dueAtMs = 0;
    else this.#dueAtMs = Math.min(this.#dueAtMs, nowMs + intervalMs(nowMs - this.#foundAtMs));
  }
}

function intervalMs(sinceFoundMs: number): number {
  if (sinceFoundMs < ACTIVE_MS) return ACTIVE_POLL_INTERVAL_MS;
  return sinceFoundMs < RECENT_MS ? RECENT_POLL_INTERVAL_MS : LATEST_POLL_MS;
}

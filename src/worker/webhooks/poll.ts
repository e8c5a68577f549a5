import type { Tracing } from '../../tracing/span.ts';
import { MAX_CLAIMED_DELIVERIES } from '../../webhook/ledger/claim-deliveries.ts';
import { DELIVERY_QUEUE } from '../../webhook/ledger/delivery-queue.ts';
import type { Lane } from '../../webhook/ledger/overdue-deliveries.ts';
import type { EndpointSlots } from './endpoint-slots.ts';
import { COMMON_LANE, type Job } from './job.ts';
import type { PayloadBudget } from './payload-budget.ts';
import type { Queue } from './queue.ts';

/** Polling finds jobs whose notification was lost, and jobs of workers that died. */
const POLL_INTERVAL_MS = 5_000;
/** How long the poller polls often after it has found jobs: as long as writers wait between two notifications. */
const ACTIVE_MS = 100;
const ACTIVE_POLL_INTERVAL_MS = 4;
/** A lane with fewer free slots waits for `LANE_RETRY_MS`, so that one statement takes many of its jobs. */
const MIN_LANE_SLOTS = 64;
const LANE_RETRY_MS = 250;
/** Lanes polled before the common lane is polled again. */
const LANES_PER_PASS = 4;
const RECEIVE_ATTRIBUTES = {
  'messaging.system': 'postgresql',
  'messaging.operation.name': 'receive',
  'messaging.operation.type': 'receive',
  'messaging.destination.name': DELIVERY_QUEUE,
};

export type PollerDependencies = {
  queue: Pick<Queue, 'take'>;
  slots: EndpointSlots;
  budget: PayloadBudget;
  /** Frees the jobs of dead workers and answers the lanes with due jobs. */
  inspect: () => Promise<Lane[]>;
  tracing?: Tracing | undefined;
};

type LaneState = Pick<Lane, 'merchantId' | 'endpointKey'> & { polledAtMs: number };

/**
 * Takes jobs from the queue while there are free slots: from the common lane, and round robin from the known lanes of
 * single endpoints.
 */
export class JobPoller {
  readonly #dependencies: PollerDependencies;
  /** Lanes that may have due jobs. The lane polled next comes first. */
  readonly #lanes = new Map<number, LaneState>();
  #inspectAtMs = 0;
  #commonAtMs = 0;
  #activeUntilMs = 0;
  #isFull = false;

  constructor(dependencies: PollerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Called when jobs were queued. `inLanes`: in lanes of single endpoints, and not in the common lane. */
  notify(inLanes: boolean): void {
    if (inLanes) this.#inspectAtMs = 0;
    else this.#commonAtMs = 0;
  }

  /** Makes the next call poll everything again, after a failure. */
  reset(): void {
    this.#inspectAtMs = 0;
    this.#commonAtMs = 0;
  }

  addLane({ lane, merchantId, endpointKey }: Lane): void {
    if (!this.#lanes.has(lane)) this.#lanes.set(lane, { merchantId, endpointKey, polledAtMs: -Infinity });
  }

  /** True if a free slot allows polling more jobs. */
  isWaitingForSlots(): boolean {
    return this.#isFull || this.#lanes.size > 0;
  }

  /** The time until the next poll is due, if there is neither a free slot nor a notification before. */
  remainingMs(): number {
    const nowMs = performance.now();
    const commonInMs = this.#isFull ? Infinity : this.#commonAtMs - nowMs;
    const lanesInMs = this.#lanes.size > 0 ? LANE_RETRY_MS : Infinity;
    return Math.min(this.#inspectAtMs - nowMs, commonInMs, lanesInMs);
  }

  /** Finds lanes with due jobs every `POLL_INTERVAL_MS`, also while all slots are taken. */
  async findLanes(): Promise<void> {
    if (performance.now() < this.#inspectAtMs) return;
    this.#inspectAtMs = performance.now() + POLL_INTERVAL_MS;
    this.#commonAtMs = 0;
    for (const lane of await this.#dependencies.inspect()) this.addLane(lane);
  }

  /** Passes due jobs to `receive` in batches. True when there may be more. */
  async poll(receive: (jobs: Job[]) => void): Promise<boolean> {
    const isMore = await this.#pollCommonLane(receive);
    return (await this.#pollLanes(receive)) || isMore;
  }

  async #pollCommonLane(receive: (jobs: Job[]) => void): Promise<boolean> {
    const { slots } = this.#dependencies;
    if (performance.now() < this.#commonAtMs && !this.#isFull) return false;
    const limit = Math.min(slots.free(), MAX_CLAIMED_DELIVERIES);
    this.#isFull = limit === 0;
    if (this.#isFull) return false;
    // Set before the query, because a notification during the query resets it.
    this.#commonAtMs = performance.now() + POLL_INTERVAL_MS;
    const jobs = await this.#take(limit, COMMON_LANE);
    const nowMs = performance.now();
    if (jobs.length > 0) this.#activeUntilMs = nowMs + ACTIVE_MS;
    if (jobs.length === limit) this.#commonAtMs = 0;
    else if (nowMs < this.#activeUntilMs)
      this.#commonAtMs = Math.min(this.#commonAtMs, nowMs + ACTIVE_POLL_INTERVAL_MS);
    receive(jobs);
    return jobs.length === limit;
  }

  async #pollLanes(receive: (jobs: Job[]) => void): Promise<boolean> {
    const { slots, budget } = this.#dependencies;
    let isMore = false;
    for (const [lane, state] of this.#nextLanes()) {
      const limit = Math.min(slots.freeFor(state), budget.claimable(state.merchantId));
      if (limit === 0) continue;
      // Round robin: the lane moves to the end, unless it is added again during the query.
      this.#lanes.delete(lane);
      const jobs = await this.#take(limit, lane);
      if (jobs.length === limit) this.#lanes.set(lane, { ...state, polledAtMs: performance.now() });
      isMore ||= jobs.length === limit;
      receive(jobs);
    }
    return isMore;
  }

  /**
   * Takes jobs as a span of OpenTelemetry's conventions for messaging. A span that does not end is not exported, so
   * that polls without jobs, which an idle worker sends all the time, make no traces.
   */
  async #take(limit: number, lane: number): Promise<Job[]> {
    const { queue, tracing } = this.#dependencies;
    const span = tracing?.start(`receive ${DELIVERY_QUEUE}`, 'client', RECEIVE_ATTRIBUTES);
    const jobs = await queue.take(limit, lane);
    if (jobs.length > 0) span?.end({ attributes: { 'messaging.batch.message_count': jobs.length } });
    return jobs;
  }

  /** The lanes to poll in this pass: those with enough free slots, or with any after `LANE_RETRY_MS`. */
  #nextLanes(): [number, LaneState][] {
    const next: [number, LaneState][] = [];
    const lateBeforeMs = performance.now() - LANE_RETRY_MS;
    for (const entry of this.#lanes) {
      if (this.#dependencies.budget.claimable(entry[1].merchantId) === 0) continue;
      const free = this.#dependencies.slots.freeFor(entry[1]);
      if (free >= MIN_LANE_SLOTS || (free > 0 && entry[1].polledAtMs <= lateBeforeMs)) next.push(entry);
      if (next.length === LANES_PER_PASS) break;
    }
    return next;
  }
}

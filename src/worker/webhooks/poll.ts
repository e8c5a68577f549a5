import { CLAIMED_AT_ONCE_MAX } from '../../webhook/claim-deliveries.ts';
import type { Lane } from '../../webhook/overdue-deliveries.ts';
import type { EndpointSlots } from './endpoint-slots.ts';
import { COMMON_LANE, type Job } from './job.ts';
import type { PayloadBudget } from './payload-budget.ts';
import type { Queue } from './queue.ts';

/** Finds what no notification told of: it got lost, or a worker died. */
const POLL_INTERVAL_MS = 5_000;
/** Longer than writers wait between two notifications. */
const AWAKE_FOR_MS = 100;
const AWAKE_POLL_INTERVAL_MS = 4;
/** Fewer free slots are left alone for a while, so that one statement takes many jobs of a lane. */
const LANE_SLOTS_MIN = 64;
const LANE_RETRY_MS = 250;
/** Lanes served before the common lane has its turn again. */
const LANES_PER_PASS = 4;

export type IntakeNeeds = { queue: Queue; slots: EndpointSlots; budget: PayloadBudget; inspect: () => Promise<Lane[]> };

type LaneState = Pick<Lane, 'merchantId' | 'endpointKey'> & { takenAtMs: number };

/**
 * Takes jobs from the queue for which there are slots: from the common lane, and in turn from the lanes of
 * single endpoints that have jobs due, as far as this process knows.
 */
export class JobIntake {
  readonly #needs: IntakeNeeds;
  readonly #lanes = new Map<number, LaneState>();
  #inspectAtMs = 0;
  #commonAtMs = 0;
  #awakeUntilMs = 0;
  #isFull = false;

  constructor(needs: IntakeNeeds) {
    this.#needs = needs;
  }

  /** Somebody has queued jobs; `inLanes` tells that it was not in the common lane. */
  notify(inLanes: boolean): void {
    if (inLanes) this.#inspectAtMs = 0;
    else this.#commonAtMs = 0;
  }

  /** Forgets what is known of the queue, as after a failure: everything is looked at again. */
  reset(): void {
    this.#inspectAtMs = 0;
    this.#commonAtMs = 0;
  }

  addLane({ lane, merchantId, endpointKey }: Lane): void {
    if (!this.#lanes.has(lane)) this.#lanes.set(lane, { merchantId, endpointKey, takenAtMs: -Infinity });
  }

  /** Whether a slot that becomes free is a reason to take jobs. */
  isWaitingForSlots(): boolean {
    return this.#isFull || this.#lanes.size > 0;
  }

  /** Until there is something to do without a slot becoming free or a notification. */
  remainingMs(): number {
    const nowMs = performance.now();
    const commonInMs = this.#isFull ? Infinity : this.#commonAtMs - nowMs;
    const lanesInMs = this.#lanes.size > 0 ? LANE_RETRY_MS : Infinity;
    return Math.min(this.#inspectAtMs - nowMs, commonInMs, lanesInMs);
  }

  /** Frees jobs of workers that are gone and finds lanes with due jobs. Does so although all slots are taken. */
  async poll(): Promise<void> {
    if (performance.now() < this.#inspectAtMs) return;
    this.#inspectAtMs = performance.now() + POLL_INTERVAL_MS;
    this.#commonAtMs = 0;
    for (const lane of await this.#needs.inspect()) this.addLane(lane);
  }

  /** Gives jobs to `receive` batch by batch. True when there may be more to take at once. */
  async take(receive: (jobs: Job[]) => void): Promise<boolean> {
    const isMore = await this.#takeCommon(receive);
    return (await this.#takeFromLanes(receive)) || isMore;
  }

  async #takeCommon(receive: (jobs: Job[]) => void): Promise<boolean> {
    const { queue, slots } = this.#needs;
    if (performance.now() < this.#commonAtMs && !this.#isFull) return false;
    const limit = Math.min(slots.free(), CLAIMED_AT_ONCE_MAX);
    this.#isFull = limit === 0;
    if (this.#isFull) return false;
    // Set before the query: a notification that comes meanwhile sets it again.
    this.#commonAtMs = performance.now() + POLL_INTERVAL_MS;
    const jobs = await queue.take(limit, COMMON_LANE);
    const nowMs = performance.now();
    if (jobs.length > 0) this.#awakeUntilMs = nowMs + AWAKE_FOR_MS;
    if (jobs.length === limit) this.#commonAtMs = 0;
    else if (nowMs < this.#awakeUntilMs) this.#commonAtMs = Math.min(this.#commonAtMs, nowMs + AWAKE_POLL_INTERVAL_MS);
    receive(jobs);
    return jobs.length === limit;
  }

  async #takeFromLanes(receive: (jobs: Job[]) => void): Promise<boolean> {
    const { queue, slots, budget } = this.#needs;
    let isMore = false;
    for (const [lane, state] of this.#nextLanes()) {
      const limit = Math.min(slots.freeFor(state), budget.claimable(state.merchantId));
      if (limit === 0) continue;
      // Lanes take turns: it goes to the end of the line, unless it is added again meanwhile.
      this.#lanes.delete(lane);
      const jobs = await queue.take(limit, lane);
      if (jobs.length === limit) this.#lanes.set(lane, { ...state, takenAtMs: performance.now() });
      isMore ||= jobs.length === limit;
      receive(jobs);
    }
    return isMore;
  }

  #nextLanes(): [number, LaneState][] {
    const next: [number, LaneState][] = [];
    const lateBeforeMs = performance.now() - LANE_RETRY_MS;
    for (const entry of this.#lanes) {
      if (this.#needs.budget.claimable(entry[1].merchantId) === 0) continue;
      const free = this.#needs.slots.freeFor(entry[1]);
      if (free >= LANE_SLOTS_MIN || (free > 0 && entry[1].takenAtMs <= lateBeforeMs)) next.push(entry);
      if (next.length === LANES_PER_PASS) break;
    }
    return next;
  }
}

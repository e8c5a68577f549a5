import type { Tracing } from '../../tracing/span.ts';
import { type Lane, MAX_INSPECTED_LANES } from '../../webhook/ledger/inspect-queue.ts';
import { type EndpointLane, EndpointLanes } from './endpoint-lanes.ts';
import type { EndpointSlots } from './endpoint-slots.ts';
import type { Job } from './job.ts';
import type { PayloadBudget } from './payload-budget.ts';
import { POLL_INTERVAL_MS, type Poller, traced } from './poller.ts';
import type { Queue } from './queue.ts';

/** Lanes are looked for no more often, however many notifications there are. */
const MIN_INSPECTION_INTERVAL_MS = 100;
/** A lane with fewer free slots waits for `LANE_RETRY_MS`, so that one statement takes many of its jobs. */
const MIN_LANE_SLOTS = 64;
const LANE_RETRY_MS = 250;
/** Lanes polled before the worker looks for new lanes again. */
const LANES_PER_PASS = 4;

export type EndpointPollerDependencies = {
  queue: Pick<Queue, 'takeFromEndpoint'>;
  slots: EndpointSlots;
  budget: PayloadBudget;
  /** Frees the jobs of dead workers, and answers the lanes with due jobs, those below a lane. */
  inspect: (below: number) => Promise<Lane[]>;
  /** Called after all lanes were looked for: jobs that were freed may be in the lanes of merchants. */
  onInspected: () => void;
  tracing?: Tracing | undefined;
};

/** Takes jobs from the lanes of endpoints, round robin. */
export class EndpointPoller implements Poller {
  readonly #dependencies: EndpointPollerDependencies;
  readonly #lanes = new EndpointLanes();
  /** The last lane of an inspection that has more pages; 0 before the first page. */
  #inspectedUntil = 0;
  #isInspectionDue = true;
  #inspectedAtMs = -Infinity;

  constructor(dependencies: EndpointPollerDependencies) {
    this.#dependencies = dependencies;
  }

  notify(): void {
    this.#isInspectionDue = true;
  }

  addLane(lane: Lane): void {
    this.#lanes.add(lane);
  }

  isWaitingForSlots(): boolean {
    return !this.#lanes.isEmpty();
  }

  remainingMs(): number {
    const inspectionInMs = this.#inspectionAtMs() - performance.now();
    return Math.min(inspectionInMs, this.#lanes.isEmpty() ? Infinity : LANE_RETRY_MS);
  }

  async poll(receive: (jobs: Job[]) => void): Promise<boolean> {
    if (performance.now() >= this.#inspectionAtMs()) await this.#inspect();
    let isMore = false;
    const lateBeforeMs = performance.now() - LANE_RETRY_MS;
    for (const lane of this.#lanes.take(LANES_PER_PASS, (lane) => this.#isReady(lane, lateBeforeMs))) {
      const isFilled = await this.#pollLane(lane, receive);
      isMore ||= isFilled;
    }
    return isMore;
  }

  /** Finds lanes with due jobs, a page at a time, also while all slots are taken. */
  async #inspect(): Promise<void> {
    if (this.#inspectedUntil === 0) this.#isInspectionDue = false;
    const lanes = await this.#dependencies.inspect(this.#inspectedUntil);
    for (const lane of lanes) this.addLane(lane);
    this.#inspectedUntil = lanes.length < MAX_INSPECTED_LANES ? 0 : Math.min(...lanes.map(({ lane }) => lane));
    if (this.#inspectedUntil !== 0) return;
    this.#inspectedAtMs = performance.now();
    this.#dependencies.onInspected();
  }

  #inspectionAtMs(): number {
    if (this.#inspectedUntil !== 0) return -Infinity;
    return this.#inspectedAtMs + (this.#isInspectionDue ? MIN_INSPECTION_INTERVAL_MS : POLL_INTERVAL_MS);
  }

  /** True if the lane may have more jobs. */
  async #pollLane(lane: EndpointLane, receive: (jobs: Job[]) => void): Promise<boolean> {
    const { queue, tracing } = this.#dependencies;
    const limit = this.#limitOf(lane);
    const jobs = limit === 0 ? [] : await traced(tracing, () => queue.takeFromEndpoint(limit, lane.lane));
    if (jobs.length === limit) this.#lanes.putBack(lane);
    receive(jobs);
    return limit > 0 && jobs.length === limit;
  }

  /** Enough slots for a statement are free, or any after `LANE_RETRY_MS`. */
  #isReady(lane: EndpointLane, lateBeforeMs: number): boolean {
    const limit = this.#limitOf(lane);
    return limit >= MIN_LANE_SLOTS || (limit > 0 && lane.polledAtMs <= lateBeforeMs);
  }

  #limitOf(lane: EndpointLane): number {
    const { slots, budget } = this.#dependencies;
    return Math.min(slots.freeFor(lane), budget.claimable(lane.merchantId));
  }
}

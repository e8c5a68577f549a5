import type { Lane } from '../../webhook/ledger/inspect-queue.ts';

/** Further lanes of a merchant are found again when others have no due jobs any more. */
const MAX_LANES_PER_MERCHANT = 1_000;

export type EndpointLane = Lane & { polledAtMs: number };

/**
 * The lanes of endpoints that may have due jobs. Merchants are served round robin, and so are the lanes of each: a
 * merchant with a thousand endpoints delays no other.
 */
export class EndpointLanes {
  readonly #merchants = new Map<string, Map<number, EndpointLane>>();

  /** Keeps the place of a lane that is known. */
  add(lane: Lane): void {
    const lanes = this.#merchants.get(lane.merchantId) ?? new Map<number, EndpointLane>();
    if (lanes.has(lane.lane) || lanes.size === MAX_LANES_PER_MERCHANT) return;
    lanes.set(lane.lane, { ...lane, polledAtMs: -Infinity });
    this.#merchants.set(lane.merchantId, lanes);
  }

  isEmpty(): boolean {
    return this.#merchants.size === 0;
  }

  /** Removes and returns at most `limit` lanes that are ready, one of each merchant. */
  take(limit: number, isReady: (lane: EndpointLane) => boolean): EndpointLane[] {
    const taken: EndpointLane[] = [];
    for (const lanes of this.#merchants.values()) {
      if (taken.length === limit) break;
      const lane = lanes.values().find(isReady);
      if (lane) taken.push(lane);
    }
    for (const lane of taken) this.#remove(lane);
    return taken;
  }

  /** Adds a lane again that was polled and may have more due jobs: behind the others. */
  putBack(lane: EndpointLane): void {
    this.add(lane);
    const known = this.#merchants.get(lane.merchantId)?.get(lane.lane);
    if (known) known.polledAtMs = performance.now();
  }

  /** The next turn of its merchant is behind those of all others. */
  #remove({ merchantId, lane }: EndpointLane): void {
    const lanes = this.#merchants.get(merchantId)!;
    lanes.delete(lane);
    this.#merchants.delete(merchantId);
    if (lanes.size > 0) this.#merchants.set(merchantId, lanes);
  }
}

import { FairScheduler } from '../../limits/fair-scheduler.ts';
import type { Job } from './job.ts';

/** Concurrent requests of one process. */
export const MAX_SLOTS = 512;
/** Concurrent requests of one merchant, if no other has any. */
const MAX_SLOTS_PER_MERCHANT = MAX_SLOTS / 2;
/** Concurrent requests to one endpoint. */
export const MAX_SLOTS_PER_ENDPOINT = 128;
/** Concurrent requests to an endpoint that did not answer last time: enough to notice when it answers again. */
const MAX_SLOTS_PER_SILENT_ENDPOINT = 4;
/** Above this number the counts of endpoints without requests are removed. */
const MAX_KNOWN_ENDPOINTS = 10_000;

/** The merchant and the endpoint that use a slot. */
export type SlotOwner = Pick<Job, 'merchantId' | 'endpointKey'>;

type Usage = { taken: number; isSlow: boolean };
type EndpointUsage = Usage & { isSilent: boolean };

/**
 * Limits concurrent requests per process, merchant and endpoint, so that hanging endpoints cannot delay others. Merchants
 * share the slots as they share connections, see `FairScheduler`.
 */
export class EndpointSlots {
  readonly #endpoints = new Map<string, EndpointUsage>();
  readonly #merchants = new Map<string, Usage>();
  readonly #shares = new FairScheduler({ max: MAX_SLOTS, maxPerOwner: MAX_SLOTS_PER_MERCHANT });

  free(): number {
    return MAX_SLOTS - this.#shares.running;
  }

  /** The merchants with requests. */
  merchants(): Iterable<string> {
    return this.#merchants.keys();
  }

  /** Slots that the owner can take now. */
  freeFor(owner: SlotOwner): number {
    return Math.max(Math.min(this.#freeForEndpoint(owner), this.freeForMerchant(owner.merchantId)), 0);
  }

  /** Slots that the merchant can take now, at whatever endpoints. */
  freeForMerchant(merchantId: string): number {
    return this.#shares.startable(merchantId, 1);
  }

  /** False if the endpoint or the merchant is at its limit. */
  take(owner: SlotOwner): boolean {
    if (this.freeFor(owner) === 0) return false;
    const { merchantId, endpointKey } = owner;
    const merchant = this.#merchants.get(merchantId) ?? { taken: 0, isSlow: false };
    this.#merchants.set(merchantId, merchant);
    merchant.taken += 1;
    this.#endpointOf(endpointKey).taken += 1;
    return this.#shares.tryStart(merchantId, 1);
  }

  /** `isSilent`: the request got no answer. Both are left out when no request was made. */
  release({ merchantId, endpointKey }: SlotOwner, isSilent?: boolean, tookMs?: number): void {
    const endpoint = this.#endpoints.get(endpointKey)!;
    const merchant = this.#merchants.get(merchantId)!;
    for (const usage of [endpoint, merchant]) {
      usage.taken -= 1;
      if (usage.taken === 0) usage.isSlow = false;
    }
    endpoint.isSilent = isSilent ?? endpoint.isSilent;
    if (endpoint.taken === 0 && !endpoint.isSilent) this.#endpoints.delete(endpointKey);
    if (merchant.taken === 0) this.#merchants.delete(merchantId);
    if (tookMs !== undefined) this.#shares.record(merchantId, tookMs);
    this.#shares.end(merchantId, 1);
  }

  /** True if waiting for a slot is pointless: the endpoint did not answer last time, or `markSlow` holds. */
  isSlow({ merchantId, endpointKey }: SlotOwner): boolean {
    const endpoint = this.#endpoints.get(endpointKey);
    return endpoint?.isSilent || endpoint?.isSlow || this.#merchants.get(merchantId)?.isSlow || false;
  }

  /**
   * Marks the endpoint or the merchant as slow, because no slot became free in time. It stays slow until it has no
   * request.
   */
  markSlow(owner: SlotOwner): void {
    const isOfEndpoint = this.#freeForEndpoint(owner) <= this.freeForMerchant(owner.merchantId);
    const usage = isOfEndpoint ? this.#endpoints.get(owner.endpointKey) : this.#merchants.get(owner.merchantId);
    if (usage && usage.taken > 0) usage.isSlow = true;
  }

  #freeForEndpoint({ endpointKey }: SlotOwner): number {
    const endpoint = this.#endpoints.get(endpointKey);
    return (endpoint?.isSilent ? MAX_SLOTS_PER_SILENT_ENDPOINT : MAX_SLOTS_PER_ENDPOINT) - (endpoint?.taken ?? 0);
  }

  #endpointOf(endpointKey: string): EndpointUsage {
    const known = this.#endpoints.get(endpointKey);
    if (known) return known;
    if (this.#endpoints.size >= MAX_KNOWN_ENDPOINTS) this.#forgetIdle();
    const usage = { taken: 0, isSlow: false, isSilent: false };
    this.#endpoints.set(endpointKey, usage);
    return usage;
  }

  #forgetIdle(): void {
    for (const [endpointKey, { taken }] of this.#endpoints) if (taken === 0) this.#endpoints.delete(endpointKey);
  }
}

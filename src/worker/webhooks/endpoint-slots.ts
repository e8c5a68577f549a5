import type { Job } from './job.ts';

/** Concurrent requests of one process. */
export const SLOTS_MAX = 512;
/** Concurrent requests to one endpoint. */
export const SLOTS_PER_ENDPOINT_MAX = 128;
/** To an endpoint that did not answer last time: enough to notice that it is back. */
const SLOTS_PER_SILENT_ENDPOINT_MAX = 4;
/** Endpoints without requests are forgotten when more are known. */
const ENDPOINTS_KNOWN_MAX = 10_000;

/** Whose slot it is. */
export type SlotOwner = Pick<Job, 'merchantId' | 'endpointKey'>;

type Usage = { taken: number; isSlow: boolean };
type EndpointUsage = Usage & { isSilent: boolean };

/**
 * Limits concurrent requests by process, merchant and endpoint, so that hanging endpoints cannot delay others.
 * A merchant may have as many slots as are left free (the dynamic threshold of shared-memory switches): one
 * alone has half of them at most, and each further one finds half of the rest.
 */
export class EndpointSlots {
  readonly #endpoints = new Map<string, EndpointUsage>();
  readonly #merchants = new Map<string, Usage>();
  #taken = 0;

  free(): number {
    return SLOTS_MAX - this.#taken;
  }

  /** How many slots can be taken one after another. */
  freeFor(owner: SlotOwner): number {
    return Math.max(Math.min(this.#freeForEndpoint(owner), this.#freeForMerchant(owner)), 0);
  }

  /** False when the endpoint or the merchant has all the slots it may have. */
  take(owner: SlotOwner): boolean {
    if (this.freeFor(owner) === 0) return false;
    const { merchantId, endpointKey } = owner;
    const merchant = this.#merchants.get(merchantId) ?? { taken: 0, isSlow: false };
    this.#merchants.set(merchantId, merchant);
    merchant.taken += 1;
    this.#endpointOf(endpointKey).taken += 1;
    this.#taken += 1;
    return true;
  }

  /** `isSilent` tells whether the request got no answer; left out, none was made. */
  release({ merchantId, endpointKey }: SlotOwner, isSilent?: boolean): void {
    const endpoint = this.#endpoints.get(endpointKey)!;
    const merchant = this.#merchants.get(merchantId)!;
    for (const usage of [endpoint, merchant]) {
      usage.taken -= 1;
      if (usage.taken === 0) usage.isSlow = false;
    }
    endpoint.isSilent = isSilent ?? endpoint.isSilent;
    if (endpoint.taken === 0 && !endpoint.isSilent) this.#endpoints.delete(endpointKey);
    if (merchant.taken === 0) this.#merchants.delete(merchantId);
    this.#taken -= 1;
  }

  /** No use to wait for a slot: the endpoint did not answer last time, or there was none in time and the requests under way go on. */
  isSlow({ merchantId, endpointKey }: SlotOwner): boolean {
    const endpoint = this.#endpoints.get(endpointKey);
    return endpoint?.isSilent || endpoint?.isSlow || this.#merchants.get(merchantId)?.isSlow || false;
  }

  /** Told when there was no free slot in time. It ends when no request is under way any more. */
  markSlow(owner: SlotOwner): void {
    const isOfEndpoint = this.#freeForEndpoint(owner) <= this.#freeForMerchant(owner);
    const usage = isOfEndpoint ? this.#endpoints.get(owner.endpointKey) : this.#merchants.get(owner.merchantId);
    if (usage && usage.taken > 0) usage.isSlow = true;
  }

  #freeForEndpoint({ endpointKey }: SlotOwner): number {
    const endpoint = this.#endpoints.get(endpointKey);
    return (endpoint?.isSilent ? SLOTS_PER_SILENT_ENDPOINT_MAX : SLOTS_PER_ENDPOINT_MAX) - (endpoint?.taken ?? 0);
  }

  /** Each slot that is taken is one more of the merchant's and one fewer that is free. */
  #freeForMerchant({ merchantId }: SlotOwner): number {
    return Math.ceil((this.free() - (this.#merchants.get(merchantId)?.taken ?? 0)) / 2);
  }

  #endpointOf(endpointKey: string): EndpointUsage {
    const known = this.#endpoints.get(endpointKey);
    if (known) return known;
    if (this.#endpoints.size >= ENDPOINTS_KNOWN_MAX) this.#forgetIdle();
    const usage = { taken: 0, isSlow: false, isSilent: false };
    this.#endpoints.set(endpointKey, usage);
    return usage;
  }

  #forgetIdle(): void {
    for (const [endpointKey, { taken }] of this.#endpoints) if (taken === 0) this.#endpoints.delete(endpointKey);
  }
}

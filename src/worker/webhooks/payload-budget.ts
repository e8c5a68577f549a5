import { CLAIM_BYTES_MAX, CLAIMED_AT_ONCE_MAX } from '../../webhook/claim-deliveries.ts';

/** Payloads that one process holds, of claims that are being made and of requests under way: 64 MiB. */
const HELD_BYTES_MAX = 64 * 1024 * 1024;

type Usage = { heldBytes: number; averageBytes: number };

/**
 * Limits the bytes of payloads in memory. A merchant may hold as many as are left free, as with slots. A claim
 * reserves the most that it can bring until it is known what it has brought.
 */
export class PayloadBudget {
  readonly #merchants = new Map<string, Usage>();
  #heldBytes = 0;

  /** For how many deliveries a claim may ask, judged by the merchant's last claim; 0 while its share is used up. */
  claimable(merchantId: string): number {
    const usage = this.#merchants.get(merchantId);
    const freeBytes = HELD_BYTES_MAX - this.#heldBytes - CLAIM_BYTES_MAX;
    if ((usage?.heldBytes ?? 0) + CLAIM_BYTES_MAX > freeBytes) return 0;
    if (!usage || usage.averageBytes === 0) return CLAIMED_AT_ONCE_MAX;
    return Math.min(Math.ceil(CLAIM_BYTES_MAX / usage.averageBytes), CLAIMED_AT_ONCE_MAX);
  }

  /** Before a claim. */
  reserve(merchantId: string): void {
    const usage = this.#merchants.get(merchantId) ?? { heldBytes: 0, averageBytes: 0 };
    this.#merchants.set(merchantId, usage);
    this.#add(usage, CLAIM_BYTES_MAX);
  }

  /** After a claim: what it brought is held instead of what was reserved. */
  hold(merchantId: string, sizes: readonly number[]): void {
    const usage = this.#merchants.get(merchantId)!;
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    if (sizes.length > 0) usage.averageBytes = bytes / sizes.length;
    this.#add(usage, bytes);
    this.release(merchantId, CLAIM_BYTES_MAX);
  }

  /** A payload is not needed any more. */
  release(merchantId: string, bytes: number): void {
    const usage = this.#merchants.get(merchantId);
    if (!usage) return;
    this.#add(usage, -bytes);
    if (usage.heldBytes === 0) this.#merchants.delete(merchantId);
  }

  #add(usage: Usage, bytes: number): void {
    usage.heldBytes += bytes;
    this.#heldBytes += bytes;
  }
}

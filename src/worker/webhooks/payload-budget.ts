import { MAX_CLAIMED_BYTES, MAX_CLAIMED_DELIVERIES } from '../../webhook/ledger/claim-deliveries.ts';

/** Payload bytes in one process, of claims and requests under way: 64 MiB. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;
/**
 * One payload counts no more than this against other merchants. A record of very many parts may have more than all
 * bytes, and its request may take 10 s.
 */
const MAX_COUNTED_BYTES = MAX_HELD_BYTES / 4;

type Usage = { heldBytes: number; averageBytes: number };

/**
 * Limits payload bytes in memory. A merchant may hold as many bytes as are free, as with slots. A claim reserves the
 * most that it can return until its size is known.
 */
export class PayloadBudget {
  readonly #merchants = new Map<string, Usage>();
  #countedBytes = 0;

  /** How many deliveries a claim may take, estimated from the merchant's last claim; 0 while its share is used up. */
  claimable(merchantId: string): number {
    const usage = this.#merchants.get(merchantId);
    const freeBytes = MAX_HELD_BYTES - this.#countedBytes - MAX_CLAIMED_BYTES;
    if ((usage?.heldBytes ?? 0) + MAX_CLAIMED_BYTES > freeBytes) return 0;
    if (!usage || usage.averageBytes === 0) return MAX_CLAIMED_DELIVERIES;
    return Math.min(Math.ceil(MAX_CLAIMED_BYTES / usage.averageBytes), MAX_CLAIMED_DELIVERIES);
  }

  /** Reserves the bytes of the largest claim. Called before each claim, whose size is not known yet. */
  reserve(merchantId: string): void {
    const usage = this.#merchants.get(merchantId) ?? { heldBytes: 0, averageBytes: 0 };
    this.#merchants.set(merchantId, usage);
    this.#add(usage, MAX_CLAIMED_BYTES);
  }

  /** Called after a claim: replaces the reservation by the sizes of the claimed payloads. */
  hold(merchantId: string, sizes: readonly number[]): void {
    const usage = this.#merchants.get(merchantId)!;
    if (sizes.length > 0) usage.averageBytes = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    for (const size of sizes) this.#add(usage, size);
    this.release(merchantId, MAX_CLAIMED_BYTES);
  }

  /** Called when a payload is no longer needed. */
  release(merchantId: string, bytes: number): void {
    const usage = this.#merchants.get(merchantId);
    if (!usage) return;
    usage.heldBytes -= bytes;
    this.#countedBytes -= counted(bytes);
    if (usage.heldBytes === 0) this.#merchants.delete(merchantId);
  }

  #add(usage: Usage, bytes: number): void {
    usage.heldBytes += bytes;
    this.#countedBytes += counted(bytes);
  }
}

function counted(bytes: number): number {
  return Math.min(bytes, MAX_COUNTED_BYTES);
}

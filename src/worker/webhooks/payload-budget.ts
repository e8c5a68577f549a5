import { MAX_CLAIMED_BYTES, MAX_CLAIMED_DELIVERIES } from '../../webhook/ledger/claim-deliveries.ts';

/** Payload bytes in one process, of claims and requests under way: 64 MiB. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;
/** Bytes that only merchants may use that hold few, so that others whose endpoints hang do not delay them. */
const RESERVED_BYTES = MAX_HELD_BYTES / 4;
const MAX_FEW_BYTES = 64 * 1024;
/**
 * One payload counts no more than this against other merchants. A record of very many parts may have more than all
 * bytes, and its request may take 10 s.
 */
const MAX_COUNTED_BYTES = MAX_HELD_BYTES / 4;

type Usage = { heldBytes: number; averageBytes: number };

/**
 * Limits payload bytes in memory. A merchant may hold as many bytes as are free and not reserved. A claim counts
 * with the most that it can return until its size is known.
 */
export class PayloadBudget {
  readonly #merchants = new Map<string, Usage>();
  #countedBytes = 0;

  /** How many deliveries a claim may take, estimated from the merchant's last claim; 0 while its share is used up. */
  claimable(merchantId: string): number {
    const { heldBytes, averageBytes } = this.#merchants.get(merchantId) ?? { heldBytes: 0, averageBytes: 0 };
    const usableBytes = heldBytes > MAX_FEW_BYTES ? MAX_HELD_BYTES - RESERVED_BYTES : MAX_HELD_BYTES;
    const freeBytes = usableBytes - this.#countedBytes - MAX_CLAIMED_BYTES;
    if (heldBytes + MAX_CLAIMED_BYTES > freeBytes) return 0;
    if (averageBytes === 0) return MAX_CLAIMED_DELIVERIES;
    return Math.min(Math.ceil(MAX_CLAIMED_BYTES / averageBytes), MAX_CLAIMED_DELIVERIES);
  }

  /** Counts the bytes of the largest claim. Called before each claim, whose size is not known yet. */
  reserve(merchantId: string): void {
    const usage = this.#merchants.get(merchantId) ?? { heldBytes: 0, averageBytes: 0 };
    this.#merchants.set(merchantId, usage);
    this.#add(usage, MAX_CLAIMED_BYTES);
  }

  /** Called after a claim: replaces the bytes of `reserve` by the sizes of the claimed payloads. */
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

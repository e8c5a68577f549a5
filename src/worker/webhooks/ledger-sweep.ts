import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { MerchantFailures } from '../../db/across/merchant-failures.ts';
import { type OverduePosition, queueOverdueDeliveries } from '../../webhook/ledger/overdue-deliveries.ts';
import { merchantsWithPendingDeliveries } from '../../webhook/ledger/pending-merchants.ts';

/** Queues overdue deliveries of the ledger that have no job. Each run continues where the one before ended. */
export class LedgerSweep {
  #positions = new Map<string, OverduePosition[]>();

  /**
   * Queues a limited number of deliveries of each merchant. Goes on to the next merchant if the deliveries of one cannot
   * be queued. True if the next run should come soon: a webhook may have more.
   */
  async run({ db, across }: AcrossContext, signal: AbortSignal): Promise<boolean> {
    const before = this.#positions;
    this.#positions = new Map();
    const failures = new MerchantFailures();
    for await (const merchantId of merchantsWithPendingDeliveries(across)) {
      if (signal.aborted) break;
      const queue = async () => await queueOverdueDeliveries({ db, merchantId }, before.get(merchantId) ?? []);
      const positions = await failures.attempt(merchantId, queue);
      if (positions && positions.length > 0) this.#positions.set(merchantId, positions);
    }
    failures.throwAny();
    return this.#positions.size > 0;
  }
}

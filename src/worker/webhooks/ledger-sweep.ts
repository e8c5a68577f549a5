import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { MerchantFailures } from '../../db/write/merchant-failures.ts';
import { type LedgerPosition, queueOverdueDeliveries } from '../../webhook/ledger/overdue-deliveries.ts';

/** Maximum number of batches that one sweep queues. The next sweep continues with the rest. */
const MAX_BATCHES = 20;

/**
 * Queues overdue deliveries of the ledger that have no job. Each call continues where the last one stopped. It goes on to
 * the next merchant if the deliveries of one cannot be queued.
 */
export function ledgerSweep(): (ctx: AcrossContext) => Promise<void> {
  let position: LedgerPosition | null = null;
  return async (ctx) => {
    const failures = new MerchantFailures();
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      position = await queueOverdueDeliveries(ctx, position, failures);
      if (position === null) break;
    }
    failures.throwAny();
  };
}

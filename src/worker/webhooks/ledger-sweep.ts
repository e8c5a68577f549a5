import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { MerchantFailures } from '../../db/write/merchant-failures.ts';
import { queueOverdueDeliveries } from '../../webhook/ledger/overdue-deliveries.ts';
import { merchantsWithPendingDeliveries } from '../../webhook/ledger/pending-merchants.ts';

/** If a sweep creates so many jobs for one merchant, they may all be done long before the next regular sweep. */
const MANY_JOBS = 1_000;

/**
 * Queues overdue deliveries of the ledger that have no job, of each merchant a limited number. Goes on to the next
 * merchant if the deliveries of one cannot be queued. True if the next sweep should come soon: a merchant had many.
 */
export async function sweepLedger({ db, across }: AcrossContext, signal: AbortSignal): Promise<boolean> {
  const failures = new MerchantFailures();
  let hasMany = false;
  for await (const merchantId of merchantsWithPendingDeliveries(across)) {
    if (signal.aborted) break;
    const queued = await failures.attempt(merchantId, () => queueOverdueDeliveries({ db, merchantId }));
    hasMany ||= queued !== undefined && queued >= MANY_JOBS;
  }
  failures.throwAny();
  return hasMany;
}

import type { MerchantContext } from '../../context.ts';
import type { AcrossContext } from '../connection/across-merchants.ts';
import { allMerchants } from '../read/merchants-with-rows.ts';
import { MerchantFailures } from './merchant-failures.ts';

/**
 * Does the work of all merchants, one after the other, and returns the sum of the results. A merchant whose work fails is
 * left out. It returns before the next merchant if `signal` is aborted.
 */
export async function forEachMerchant(
  { db, across }: AcrossContext,
  work: (ctx: MerchantContext) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  const failures = new MerchantFailures();
  let done = 0;
  for (const { merchantId } of await allMerchants(across)) {
    if (signal?.aborted) return done;
    done += (await failures.attempt(merchantId, () => work({ db, merchantId }))) ?? 0;
  }
  failures.throwAny();
  return done;
}

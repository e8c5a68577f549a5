import type { MerchantContext } from '../../context.ts';
import type { AcrossContext } from '../connection/across-merchants.ts';
import { taskContext } from './merchant-context.ts';
import { MerchantFailures } from './merchant-failures.ts';

/**
 * Does the work of these merchants, one after the other, and returns the sum of the results. A merchant whose work fails
 * is left out. It returns before the next merchant if `signal` is aborted.
 */
export async function forEachMerchant<Merchant extends { readonly merchantId: string }>(
  db: AcrossContext['db'],
  merchants: Iterable<Merchant>,
  work: (ctx: MerchantContext, merchant: Merchant) => Promise<number | void>,
  signal?: AbortSignal,
): Promise<number> {
  const failures = new MerchantFailures();
  let done = 0;
  for (const merchant of merchants) {
    if (signal?.aborted) return done;
    const { merchantId } = merchant;
    done += (await failures.attempt(merchantId, () => work(taskContext(db, merchantId), merchant))) ?? 0;
  }
  failures.throwAny();
  return done;
}

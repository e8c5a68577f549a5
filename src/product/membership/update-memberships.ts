import {
  membershipPendingCategory,
  membershipPendingProduct,
  membershipRecheck,
} from '../../../drizzle/category-membership.ts';
import type { MerchantContext } from '../../context.ts';
import type { AcrossContext, AcrossMerchants } from '../../db/connection/across-merchants.ts';
import { merchantsWithRows } from '../../db/across/merchants-with-rows.ts';
import { MerchantFailures } from '../../db/across/merchant-failures.ts';
import { compareChangedCategories } from './changed-categories.ts';
import { compareChangedProducts } from './changed-products.ts';
import { queueRechecks } from './older-transactions.ts';
import { TurnSize } from './turn-size.ts';

/** Notified when products or categories are queued. */
export const MEMBERSHIP_CHANNEL = 'category_membership';

/**
 * Brings the automated categories of all merchants up to date, one bounded transaction of each merchant in turn. A
 * failure ends the turns of its merchant, and is thrown after those of the others. Calls `onWaiting` if a new automated
 * category is to be compared again when older transactions have ended.
 */
export async function updateMemberships(
  { db, across }: AcrossContext,
  signal: AbortSignal,
  onWaiting?: () => void,
): Promise<void> {
  const active = new Map<string, AsyncGenerator<void>>();
  const failures = new MerchantFailures();
  let isWaiting = false;
  for (const merchantId of await merchantsWithRows(across, membershipRecheck)) {
    if (signal.aborted) return;
    isWaiting = (await failures.attempt(merchantId, () => queueRechecks({ db, merchantId }))) || isWaiting;
  }
  if (isWaiting) onWaiting?.();
  do {
    for (const merchantId of await merchantsWithPending(across)) {
      if (!active.has(merchantId) && !failures.has(merchantId)) active.set(merchantId, turns({ db, merchantId }));
    }
    for (const [merchantId, merchantTurns] of active) {
      if (signal.aborted) return;
      const turn = await failures.attempt(merchantId, () => merchantTurns.next());
      if (turn?.done !== false) active.delete(merchantId);
    }
  } while (active.size > 0);
  failures.throwAny();
}

/** Products and categories by turns, so that neither waits for all of the other kind. */
async function* turns(ctx: MerchantContext): AsyncGenerator<void> {
  const sizes = { products: new TurnSize(), categories: new TurnSize() };
  for (let hadWork = true; hadWork;) {
    const hadProducts = yield* compareChangedProducts(ctx, sizes.products);
    const hadCategories = await compareChangedCategories(ctx, sizes.categories);
    hadWork = hadProducts || hadCategories;
    yield;
  }
}

async function merchantsWithPending(across: AcrossMerchants): Promise<Set<string>> {
  return new Set([
    ...(await merchantsWithRows(across, membershipPendingProduct)),
    ...(await merchantsWithRows(across, membershipPendingCategory)),
  ]);
}

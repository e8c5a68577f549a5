import {
  membershipPendingCategory,
  membershipPendingProduct,
  membershipRecheck,
} from '../../../drizzle/category-membership.ts';
import type { MerchantContext } from '../../context.ts';
import type { AcrossContext, AcrossMerchants } from '../../db/connection/across-merchants.ts';
import { merchantsWithRows } from '../../db/across/merchants-with-rows.ts';
import { taskContext } from '../../db/across/merchant-context.ts';
import { MerchantFailures } from '../../db/across/merchant-failures.ts';
import { compareChangedCategories } from './changed-categories.ts';
import { compareChangedProducts } from './changed-products.ts';
import { queueRechecks } from './older-transactions.ts';
import { TurnSize } from './turn-size.ts';

/** Notified when products or categories are queued. */
export const MEMBERSHIP_CHANNEL = 'category_membership';

/** How often a run looks whether older transactions have ended. It lasts as long as any merchant has work. */
const RECHECK_MS = 1_000;
/** A merchant whose work has failed is tried again within this time, if the run lasts so long. */
const RETRY_MS = 30_000;

/**
 * `onWaiting` is called when a new automated category has to be compared again after older transactions have ended.
 * `onFailure` gets the failures of a run that continues.
 */
export type MembershipEvents = { onWaiting?: () => void; onFailure?: (error: Error) => void };

/**
 * Brings the automated categories of all merchants up to date, one bounded transaction of each merchant in turn. A
 * failure ends the turns of its merchant, and is thrown after those of the others.
 */
export async function updateMemberships(
  { db, across }: AcrossContext,
  signal: AbortSignal,
  { onWaiting, onFailure }: MembershipEvents = {},
): Promise<void> {
  const active = new Map<string, AsyncGenerator<void>>();
  let failures = new MerchantFailures();
  let [recheckAtMs, retryAtMs, isWaiting] = [0, performance.now() + RETRY_MS, false];
  do {
    if (performance.now() >= retryAtMs) {
      if (failures.error) onFailure?.(failures.error);
      failures = new MerchantFailures();
      retryAtMs = performance.now() + RETRY_MS;
    }
    if (performance.now() >= recheckAtMs) {
      const wasWaiting = isWaiting;
      for (const merchantId of await merchantsWithRows(across, membershipRecheck)) {
        if (signal.aborted) return;
        isWaiting = (await failures.attempt(merchantId, () => queueRechecks(taskContext(db, merchantId)))) || isWaiting;
      }
      if (isWaiting && !wasWaiting) onWaiting?.();
      recheckAtMs = performance.now() + RECHECK_MS;
    }
    for (const merchantId of await merchantsWithPending(across)) {
      if (!active.has(merchantId) && !failures.has(merchantId))
        active.set(merchantId, turns(taskContext(db, merchantId)));
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

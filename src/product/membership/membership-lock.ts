import { sql } from 'drizzle-orm';
import { membershipLock } from '../../../drizzle/category-membership.ts';
import type { MerchantContext } from '../../context.ts';
import { limitLockWaits } from '../../db/across/merchant-context.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { ownedBy } from '../../db/sql/parameter.ts';

/** A comparison that takes longer is repeated with fewer products, while other merchants have their turns. */
const STATEMENT_TIMEOUT_MS = 3_000;

/**
 * Runs `work` in a transaction that holds the merchant's lock. Its statements see what was committed before. Returns
 * null, without running it, if another worker holds the lock: that worker is notified of new rows as well.
 */
export async function withMembershipLock<T>(
  ctx: MerchantContext,
  work: (ctx: MerchantContext) => Promise<T>,
): Promise<T | null> {
  return await inTransaction(ctx, async (ctx) => {
    await limitLockWaits(ctx);
    await ctx.db.execute(sql`select set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}, true)`);
    await ctx.db.insert(membershipLock).values({ merchantId: ctx.merchantId }).onConflictDoNothing();
    const held = await ctx.db.execute(sql`
      select from ${membershipLock} where ${ownedBy(ctx, membershipLock)} for update skip locked`);
    return held.length === 0 ? null : await work(ctx);
  });
}

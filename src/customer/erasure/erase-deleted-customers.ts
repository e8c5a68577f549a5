import { sql } from 'drizzle-orm';
import { customer } from '../../../drizzle/customer.ts';
import type { MerchantContext } from '../../context.ts';
import { forEachMerchant } from '../../db/across/for-each-merchant.ts';
import { allMerchants } from '../../db/across/merchants-with-rows.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { readIds } from '../../db/connection/read-rows.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { eraseLocked, lockCustomers } from './erase-customers.ts';

/** Customers of a transaction. Small, so that it holds its locks for a short time only. */
const SLICE_SIZE = 100;

/**
 * Erases the customers of all merchants that were deleted, and last changed, longer ago than the given days. Returns
 * their number. Several processes may do this at once.
 */
export async function eraseDeletedCustomers(
  ctx: AcrossContext,
  keepDays: number,
  signal?: AbortSignal,
): Promise<number> {
  // Not by a statement over all customers: the cross-merchant role may not read them.
  const merchants = await allMerchants(ctx.across);
  return await forEachMerchant(ctx.db, merchants, async (ctx) => await eraseOf(ctx, keepDays, signal), signal);
}

async function eraseOf(ctx: MerchantContext, keepDays: number, signal: AbortSignal | undefined): Promise<number> {
  let erased = 0;
  for (let count = SLICE_SIZE; count === SLICE_SIZE && !signal?.aborted; erased += count)
    count = await eraseSlice(ctx, keepDays);
  return erased;
}

async function eraseSlice(ctx: MerchantContext, keepDays: number): Promise<number> {
  return await inTransaction(ctx, async (ctx) => {
    const due = await readIds(
      ctx,
      sql`
      select ${customer.id} as "id" from ${customer}
      where ${ownedBy(ctx, customer)} and ${customer.deleted} and ${customer.erasureId} is null
        and ${customer.updatedAt} < now() - make_interval(days => ${keepDays}::integer)
        and coalesce(${customer.erasureBlockedUntil} <= now(), true)
      order by ${customer.updatedAt} limit ${sql.raw(String(SLICE_SIZE))} for update skip locked`,
    );
    if (due.length === 0) return 0;
    await eraseLocked(ctx, await lockCustomers(ctx, due));
    return due.length;
  });
}

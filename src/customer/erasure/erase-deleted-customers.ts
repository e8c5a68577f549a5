import { sql } from 'drizzle-orm';
import { customer } from '../../../drizzle/customer.ts';
import type { MerchantContext } from '../../context.ts';
import { forEachMerchant } from '../../db/across/for-each-merchant.ts';
import { allMerchants } from '../../db/across/merchants-with-rows.ts';
import { SliceSize } from '../../db/across/slice-size.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { readIds } from '../../db/connection/read-rows.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { isTimeout } from '../../db/errors/database-error.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { eraseLocked, lockCustomers } from './erase-customers.ts';

/** Customers of a transaction at the most. Small, so that it holds its locks for a short time only. */
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

/**
 * Slices get smaller after one that took too long, since the customers may have very many changes. A customer that takes too
 * long alone is left out, so that the others do not wait for it, and thrown at the end.
 */
async function eraseOf(ctx: MerchantContext, keepDays: number, signal: AbortSignal | undefined): Promise<number> {
  let slices = new SliceSize(SLICE_SIZE);
  const left: Left = { ids: [], errors: [] };
  let erased = 0;
  for (let isLast = false; !isLast && !signal?.aborted;) {
    const count = await slices.run(async (size) => await eraseSlice(ctx, keepDays, size, left));
    erased += count ?? 0;
    isLast = count !== null && count < slices.size;
    if (count === null) slices = new SliceSize(SLICE_SIZE);
  }
  if (left.errors.length > 0) throw left.errors[0];
  return erased;
}

/** Customers that take too long alone. */
type Left = { ids: string[]; errors: unknown[] };

/** The number of erased customers. Null if the only one was left out. */
async function eraseSlice(ctx: MerchantContext, keepDays: number, size: number, left: Left): Promise<number | null> {
  let due: string[] = [];
  try {
    return await inTransaction(ctx, async (ctx) => {
      due = await lockDue(ctx, keepDays, size, left.ids);
      if (due.length > 0) await eraseLocked(ctx, await lockCustomers(ctx, due));
      return due.length;
    });
  } catch (error) {
    if (size > 1 || due.length === 0 || !isTimeout(error)) throw error;
    left.ids.push(...due);
    left.errors.push(error);
    return null;
  }
}

async function lockDue(
  ctx: MerchantContext,
  keepDays: number,
  size: number,
  leftIds: readonly string[],
): Promise<string[]> {
  return await readIds(
    ctx,
    sql`
    select ${customer.id} as "id" from ${customer}
    where ${ownedBy(ctx, customer)} and ${customer.deleted} and ${customer.erasureId} is null
      and ${customer.updatedAt} < now() - make_interval(days => ${keepDays}::integer)
      and coalesce(${customer.erasureBlockedUntil} <= now(), true) and ${customer.id} <> all(${idArray(leftIds)})
    order by ${customer.updatedAt} limit ${size}::integer for update skip locked`,
  );
}

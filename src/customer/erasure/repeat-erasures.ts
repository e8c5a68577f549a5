import { and, eq } from 'drizzle-orm';
import { erasure } from '../../../drizzle/erasure.ts';
import type { MerchantContext } from '../../context.ts';
import { inDryRun, inTransaction } from '../../db/connection/transaction.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { eraseLocked, lockCustomers, type Receipt } from './erase-customers.ts';

const SLICE_SIZE = 100;

export type RepeatedErasure = {
  /** Ids of the receipts of what was erased now. */
  receiptIds: string[];
  erased: number;
  alreadyErased: number;
  /** Ids of customers that the merchant does not have, such as those created after the backup that was restored. */
  unknownIds: string[];
  /** Ids of customers that `erasureBlockedUntil` protects. */
  blockedIds: string[];
};

/**
 * Erases any number of customers in slices, each a transaction. Customers that cannot be erased are reported. `receipt`
 * is given to repeat an erasure in a restored database: it is stored with its id and time, and `erasureBlockedUntil`
 * does not matter, since it was past or removed when the receipt was written. A dry run rolls back each slice, so that it
 * holds locks no longer than an erasure does.
 */
export async function repeatErasures(
  ctx: MerchantContext,
  customerIds: readonly string[],
  { receipt, isDryRun }: { receipt?: Receipt | undefined; isDryRun?: boolean | undefined },
): Promise<RepeatedErasure> {
  const result: RepeatedErasure = { receiptIds: [], erased: 0, alreadyErased: 0, unknownIds: [], blockedIds: [] };
  const ids = [...new Set(customerIds)].sort();
  for (let start = 0; start < ids.length; start += SLICE_SIZE) {
    const slice = ids.slice(start, start + SLICE_SIZE);
    const done = await (isDryRun ? inDryRun : inTransaction)(ctx, async (ctx) => await eraseSlice(ctx, slice, receipt));
    const known = new Set(done.customers.map(({ id }) => id));
    result.erased += done.erasable.length;
    result.alreadyErased += done.customers.length - done.open.length;
    result.unknownIds.push(...slice.filter((id) => !known.has(id)));
    result.blockedIds.push(...done.blockedIds);
    if (done.receiptId && !isDryRun) result.receiptIds.push(done.receiptId);
  }
  return result;
}

async function eraseSlice(ctx: MerchantContext, ids: readonly string[], receipt?: Receipt) {
  const customers = await lockCustomers(ctx, ids);
  const open = customers.filter(({ erasureId }) => erasureId === null);
  const isBlocked = (one: (typeof open)[number]): boolean => one.isBlocked && !receipt;
  const erasable = open.filter((one) => !isBlocked(one));
  const kept = receipt && !(await hasReceipt(ctx, receipt.id)) ? receipt : undefined;
  const receiptId = erasable.length > 0 ? await eraseLocked(ctx, erasable, { receipt: kept }) : null;
  return { customers, open, erasable, receiptId, blockedIds: open.filter(isBlocked).map(({ id }) => id) };
}

async function hasReceipt(ctx: MerchantContext, id: string): Promise<boolean> {
  const found = await ctx.db
    .select({ id: erasure.id })
    .from(erasure)
    .where(and(ownedBy(ctx, erasure), eq(erasure.id, id)));
  return found.length > 0;
}

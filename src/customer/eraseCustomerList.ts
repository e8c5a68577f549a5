import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { conflict, invalidAt, refuseUnknown } from '../errors.ts';
import type { Erasure, MutationEraseCustomerListArgs } from '../graphql/generated/types.ts';
import { eraseLocked, type LockedCustomer, lockCustomers } from './erasure/erase-customers.ts';
import { erasureProjection } from './erasure/erasure.ts';

export async function eraseCustomerList(
  ctx: Context,
  { idList }: MutationEraseCustomerListArgs,
  selection: Selection,
): Promise<Erasure> {
  const ids = [...new Set(idList)];
  if (ids.length === 0) throw invalidAt(['idList'], 'must have at least one id');
  return await inTransaction(ctx, async (ctx) => {
    const customers = await lockCustomers(ctx, ids);
    const lockedIds = customers.map(({ id }) => id);
    refuseUnknown('Customer', ids, lockedIds, ['idList']);
    refuseBlocked(customers);
    const open = customers.filter(({ erasureId }) => erasureId === null);
    const receiptId =
      open.length > 0
        ? await eraseLocked(ctx, open, { askingAppId: ctx.session.authorizedAppId })
        : latestReceipt(customers);
    return await pipeline(ctx, [readRecordStep(ctx, erasureProjection, receiptId, selection)]);
  });
}

function refuseBlocked(customers: readonly LockedCustomer[]): void {
  const ids = customers.filter(({ isBlocked }) => isBlocked).map(({ id }) => id);
  if (ids.length === 0) return;
  const message = `Until erasureBlockedUntil these customers must not be erased: ${ids.join(', ')}. Nothing was erased.`;
  throw conflict(message, { type: 'Customer', ids, path: ['idList'] });
}

/** Ids of receipts begin with their time. */
function latestReceipt(customers: readonly LockedCustomer[]): string {
  return customers.map(({ erasureId }) => erasureId!).reduce((one, other) => (one > other ? one : other));
}

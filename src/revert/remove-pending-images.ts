import { sql } from 'drizzle-orm';
import { bulkOperation, bulkOperationImage } from '../../drizzle/bulk-operation.ts';
import type { Context } from '../context.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import type { WholeSet } from './reverted-changes.ts';

/** Removes the pictures of reverted bulk operations that the worker would still attach after the revert. */
export async function removePendingImages(ctx: Context, { changeSetId, transactionId }: WholeSet): Promise<void> {
  const { bulkOperationId, state } = bulkOperationImage;
  const ofTransaction =
    transactionId === null ? sql`` : sql` and ${bulkOperation.changeTransactionId} = ${transactionId}::uuid`;
  await ctx.db.execute(sql`
    with removed as (
      delete from ${bulkOperationImage}
      where ${ownedBy(ctx, bulkOperationImage)} and ${state} = 'PENDING' and ${bulkOperationId} in (
        select ${bulkOperation.id} from ${bulkOperation}
        where ${ownedBy(ctx, bulkOperation)} and ${bulkOperation.changeSetId} = ${changeSetId}::uuid${ofTransaction})
      returning ${bulkOperationId} as operation_id)
    update ${bulkOperation} set updated_at = now()
    where ${ownedBy(ctx, bulkOperation)} and ${bulkOperation.id} in (select operation_id from removed)`);
}

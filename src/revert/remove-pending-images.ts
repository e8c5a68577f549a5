import { sql } from 'drizzle-orm';
import { bulkOperation, bulkOperationImage } from '../../drizzle/bulk-operation.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { checkWritable, type WholeSet } from './reverted-changes.ts';

/**
 * Removes the pictures of reverted bulk operations that the worker would still attach after the revert. Returns whether
 * there were any.
 */
export async function removePendingImages(ctx: Context, { changeSetId, transactionId }: WholeSet): Promise<boolean> {
  const { bulkOperationId, state } = bulkOperationImage;
  const ofTransaction =
    transactionId === null ? sql`` : sql` and ${bulkOperation.changeTransactionId} = ${transactionId}::uuid`;
  const changed = await readRows(
    ctx,
    { id: column.text },
    sql`
    with removed as (
      delete from ${bulkOperationImage}
      where ${ownedBy(ctx, bulkOperationImage)} and ${state} = 'PENDING' and ${bulkOperationId} in (
        select ${bulkOperation.id} from ${bulkOperation}
        where ${ownedBy(ctx, bulkOperation)} and ${bulkOperation.changeSetId} = ${changeSetId}::uuid${ofTransaction})
      returning ${bulkOperationId} as operation_id)
    update ${bulkOperation} set updated_at = now()
    where ${ownedBy(ctx, bulkOperation)} and ${bulkOperation.id} in (select operation_id from removed)
    returning ${bulkOperation.id} as "id"`,
  );
  if (changed.length === 0) return false;
  checkWritable(ctx, new Set(['PRODUCT']));
  return true;
}

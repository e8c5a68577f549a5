import { type SQL, sql } from 'drizzle-orm';
import { bulkOperation, bulkOperationImage } from '../../drizzle/bulk-operation.ts';
import { product } from '../../drizzle/product.ts';
import { variantType } from '../../drizzle/variant-type.ts';
import type { Context } from '../context.ts';
import { pipeline, pipelineStep } from '../db/connection/pipeline.ts';
import { ownedBy, type Tenant } from '../db/sql/parameter.ts';
import { removeImages } from '../product/bulk/remove-images.ts';
import { checkWritable } from './revert-summary.ts';
import type { WholeSet } from './reverted-changes.ts';

/**
 * Locks the records of the pictures that `removePendingImages` removes. The worker and bulk requests lock them before
 * their pictures, products first: a revert that changes the records in the same transaction would else deadlock with them.
 */
export async function lockPendingRecords(ctx: Context, whole: WholeSet): Promise<void> {
  const { productId, variantTypeId } = bulkOperationImage;
  const pending = pendingOf(ctx, whole);
  const lockOf = (table: typeof product | typeof variantType, owner: SQL) =>
    pipelineStep(sql`
      select from ${table} where ${ownedBy(ctx, table)} and ${table.id} in (
        select ${owner} from ${bulkOperationImage} where ${pending} and ${owner} is not null)
      order by ${table.id} for update`);
  await pipeline(ctx, [lockOf(product, sql`${productId}`), lockOf(variantType, sql`${variantTypeId}`)]);
}

/**
 * Removes the pictures of reverted bulk operations that the worker would still attach after the revert. Returns whether
 * there were any.
 */
export async function removePendingImages(ctx: Context, whole: WholeSet): Promise<boolean> {
  if (!(await removeImages(ctx, pendingOf(ctx, whole)))) return false;
  checkWritable(ctx, new Set(['PRODUCT']));
  return true;
}

function pendingOf(ctx: Tenant, { changeSetId, transactionId }: WholeSet): SQL {
  const ofTransaction =
    transactionId === null ? sql`` : sql` and ${bulkOperation.changeTransactionId} = ${transactionId}::uuid`;
  return sql`${ownedBy(ctx, bulkOperationImage)} and ${bulkOperationImage.state} = 'PENDING'
    and ${bulkOperationImage.bulkOperationId} in (
      select ${bulkOperation.id} from ${bulkOperation}
      where ${ownedBy(ctx, bulkOperation)} and ${bulkOperation.changeSetId} = ${changeSetId}::uuid${ofTransaction})`;
}

import { type SQL, sql } from 'drizzle-orm';
import { bulkOperation, bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import type { Context } from '../../context.ts';
import { readIds } from '../../db/connection/read-rows.ts';
import { ownedBy } from '../../db/sql/parameter.ts';

/**
 * Removes images of bulk operations that are no longer wanted. Operations whose counts change by it get a new
 * `updatedAt`, which is never before that of an image they had. Returns whether there were any.
 */
export async function removeImages(ctx: Context, condition: SQL): Promise<boolean> {
  const { bulkOperationId, state, updatedAt } = bulkOperationImage;
  const changed = await readIds(
    ctx,
    sql`
    with removed as (
      delete from ${bulkOperationImage} where ${ownedBy(ctx, bulkOperationImage)} and ${condition}
      returning ${bulkOperationId} as operation_id, ${state} as state, ${updatedAt} as updated_at),
    counted as (
      select operation_id, max(updated_at) as updated_at from removed where state <> 'STORED' group by operation_id)
    update ${bulkOperation} set updated_at = greatest(now(), counted.updated_at)
    from counted where ${ownedBy(ctx, bulkOperation)} and ${bulkOperation.id} = counted.operation_id
    returning ${bulkOperation.id} as "id"`,
  );
  return changed.length > 0;
}

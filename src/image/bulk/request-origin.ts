import { sql } from 'drizzle-orm';
import { bulkOperation } from '../../../drizzle/bulk-operation.ts';
import { changeSet } from '../../../drizzle/change.ts';
import type { MerchantContext } from '../../context.ts';
import type { ChangeOrigin } from '../../db/connection/database.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { changeOrigin } from '../../db/write/change-origin.ts';

const text = column.nullable(column.text);

/**
 * The origin of what the worker does for a bulk request: its changes belong to the change set of the request. Undefined
 * if the operation is older than the history.
 */
export async function requestOrigin(ctx: MerchantContext, bulkOperationId: string): Promise<ChangeOrigin | undefined> {
  const { authorizedAppId, operation, requestId, idempotencyKey, actor } = changeSet;
  const [row] = await readRows(
    ctx,
    { changeSetId: text, authorizedAppId: text, operation: text, requestId: text, idempotencyKey: text, actor: text },
    sql`
    select ${bulkOperation.changeSetId} as "changeSetId",
      coalesce(${authorizedAppId}, ${bulkOperation.authorizedAppId}) as "authorizedAppId",
      ${operation} as "operation", ${requestId} as "requestId", ${idempotencyKey} as "idempotencyKey", ${actor} as "actor"
    from ${bulkOperation}
    left join ${changeSet} on ${ownedBy(ctx, changeSet)} and ${changeSet.id} = ${bulkOperation.changeSetId}
    where ${ownedBy(ctx, bulkOperation)} and ${bulkOperation.id} = ${bulkOperationId}`,
  );
  if (!row || row.changeSetId === null) return undefined;
  // The set has no row yet if the request itself has changed nothing.
  const named = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
  return changeOrigin({
    operation: 'bulkUpdateProducts',
    ...named,
    merchantId: ctx.merchantId,
    changeSetId: row.changeSetId,
  });
}

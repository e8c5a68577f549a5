import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';
import { bulkOperation, bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import type { MerchantContext } from '../../context.ts';
import { readIds } from '../../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';

const REVOKED = 'was requested by an app that is revoked';

/** Fails all pending pictures of these requests whose apps are revoked. Returns the ids of the requests. */
export async function failRevoked(ctx: MerchantContext, bulkOperationIds: readonly string[]): Promise<string[]> {
  if (bulkOperationIds.length === 0) return [];
  const requests = idArray([...new Set(bulkOperationIds)]);
  const ids = await readIds(
    ctx,
    sql`
    select ${bulkOperation.id} as "id" from ${bulkOperation}
    where ${ownedBy(ctx, bulkOperation)} and ${bulkOperation.id} = any(${requests})
      and ${bulkOperation.authorizedAppId} is not null and not exists (
        select from ${authorizedApp}
        where ${ownedBy(ctx, authorizedApp)} and ${authorizedApp.id} = ${bulkOperation.authorizedAppId}
          and ${authorizedApp.revokedAt} is null and not ${authorizedApp.deleted})`,
  );
  if (ids.length === 0) return ids;
  await ctx.db.execute(sql`
    update ${bulkOperationImage} set state = 'FAILED', error = ${REVOKED}, updated_at = now()
    where ${ownedBy(ctx, bulkOperationImage)} and ${bulkOperationImage.bulkOperationId} = any(${idArray(ids)})
      and ${bulkOperationImage.state} = 'PENDING'`);
  return ids;
}

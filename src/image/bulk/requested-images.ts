import { sql } from 'drizzle-orm';
import { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import type { RequestedImages } from '../attach-image.ts';

/** What the latest bulk request wants of the pictures of a variant, by their addresses. */
export async function requestedImages(ctx: MerchantContext, variantId: string): Promise<RequestedImages> {
  const rows = await readRows(
    ctx,
    { url: column.text, isMain: column.boolean, place: column.number },
    sql`
    select distinct on (${bulkOperationImage.url}) ${bulkOperationImage.url} as "url",
      ${bulkOperationImage.isMain} as "isMain", split_part(${bulkOperationImage.path}, '.', -2)::int as "place"
    from ${bulkOperationImage}
    where ${ownedBy(ctx, bulkOperationImage)} and ${bulkOperationImage.variantId} = ${variantId}
    order by ${bulkOperationImage.url}, ${bulkOperationImage.id} desc`,
  );
  return new Map(rows.map(({ url, ...requested }) => [url, requested]));
}

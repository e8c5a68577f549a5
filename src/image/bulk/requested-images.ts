import { sql } from 'drizzle-orm';
import { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { addressOf, withoutHost } from '../../product/stored/image-address.ts';
import type { FindRequested } from '../attach-image.ts';
import type { ClaimedImage } from './claim-bulk-images.ts';

/** What the request of a claimed image wants of all images of the variant: each has a row. */
export async function requestedImages(
  ctx: MerchantContext,
  { bulkOperationId, variantId }: ClaimedImage,
): Promise<FindRequested> {
  const rows = await readRows(
    ctx,
    { url: column.text, isMain: column.boolean, place: column.number },
    sql`
    select ${bulkOperationImage.url} as "url", ${bulkOperationImage.isMain} as "isMain",
      split_part(${bulkOperationImage.path}, '.', -2)::int as "place"
    from ${bulkOperationImage}
    where ${ownedBy(ctx, bulkOperationImage)} and ${bulkOperationImage.bulkOperationId} = ${bulkOperationId}
      and ${bulkOperationImage.variantId} = ${variantId}
    order by "place"`,
  );
  const byAddress = new Map(rows.map(({ url, ...requested }) => [withoutHost(ctx.merchantId, url), requested]));
  return (image) => byAddress.get(addressOf(ctx.merchantId, image) ?? '');
}

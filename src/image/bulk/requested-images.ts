import { sql } from 'drizzle-orm';
import { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { addressOf, withoutHost } from '../../product/stored/image-address.ts';
import type { FindRequested } from '../attach-image.ts';
import type { ClaimedImage } from './claim-bulk-images.ts';

/**
 * The place and the main image that a bulk request gives the images of a variant. The request of a claimed image has stored
 * a row for each of them.
 */
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

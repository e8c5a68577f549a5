import { sql } from 'drizzle-orm';
import { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import { pageMetadata } from '../../../drizzle/page-metadata.ts';
import { product, variant } from '../../../drizzle/product.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows, type Row } from '../../db/connection/read-rows.ts';
import { ownedBy } from '../../db/sql/parameter.ts';

const DOWNLOAD = {
  state: column.text,
  url: column.text,
  handle: column.nullable(column.text),
  product: column.nullable(column.text),
  sku: column.nullable(column.text),
  attempts: column.number,
  error: column.nullable(column.text),
  updatedAt: column.number,
};

/** A picture that is still to be fetched (PENDING), or that could not be fetched (FAILED). */
export type Download = Row<typeof DOWNLOAD>;

/** A row counts while its product and variant are there. A later request for the same variant or value removes it. */
const current = (ctx: MerchantContext) => sql`
  ${ownedBy(ctx, bulkOperationImage)} and ${bulkOperationImage.state} in ('PENDING', 'FAILED')
  and not exists (
    select 1 from ${product} where ${ownedBy(ctx, product)} and ${product.id} = ${bulkOperationImage.productId}
      and ${product.deleted})
  and not exists (
    select 1 from ${variant} where ${ownedBy(ctx, variant)} and ${variant.id} = ${bulkOperationImage.variantId}
      and ${variant.deleted})`;

export async function countDownloads(ctx: MerchantContext): Promise<{ running: number; failed: number }> {
  const [row] = await readRows(
    ctx,
    { running: column.number, failed: column.number },
    sql`
    select count(*) filter (where ${bulkOperationImage.state} = 'PENDING')::int as "running",
      count(*) filter (where ${bulkOperationImage.state} = 'FAILED')::int as "failed"
    from ${bulkOperationImage} where ${current(ctx)}`,
  );
  return row!;
}

/** The failed downloads, latest first, and then the running ones. */
export async function listDownloads(ctx: MerchantContext, limit: number): Promise<Download[]> {
  return await readRows(
    ctx,
    DOWNLOAD,
    sql`
    select ${bulkOperationImage.state} as "state", ${bulkOperationImage.url} as "url",
      ${pageMetadata.slug} as "handle", ${product.name} as "product", ${variant.sku} as "sku",
      ${bulkOperationImage.attempts} as "attempts", ${bulkOperationImage.error} as "error",
      (extract(epoch from ${bulkOperationImage.updatedAt}) * 1000)::float8 as "updatedAt"
    from ${bulkOperationImage}
    left join ${product} on ${ownedBy(ctx, product)} and ${product.id} = ${bulkOperationImage.productId}
    left join ${variant} on ${ownedBy(ctx, variant)} and ${variant.id} = ${bulkOperationImage.variantId}
    left join ${pageMetadata} on ${ownedBy(ctx, pageMetadata)} and ${pageMetadata.targetType} = 'PRODUCT'
      and ${pageMetadata.targetId} = ${product.id} and not ${pageMetadata.deleted}
    where ${current(ctx)}
    order by ${bulkOperationImage.state}, ${bulkOperationImage.updatedAt} desc, ${bulkOperationImage.id}
    limit ${limit}`,
  );
}

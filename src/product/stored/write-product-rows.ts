import { product, variant } from '../../../drizzle/product.ts';
import type { MerchantContext } from '../../context.ts';
import { mapInSlices } from '../../limits/event-loop-slices.ts';
import type { PipelineStep } from '../../db/connection/pipeline.ts';
import { withPositions } from '../../db/write/list-positions.ts';
import { isUnchanged } from '../../db/write/unchanged.ts';
import { insert, update } from '../../db/write/write.ts';
import type { PageMetadataWrite } from '../../page-metadata/save-page-metadata.ts';
import type { ProductRow, VariantRow } from './stored-products.ts';

/** The rows of a product and of its variants, and the stored ones. Variants that are not deleted are in their order. */
export type ProductWrite = { stored: ProductRow | undefined; row: ProductRow; variants: VariantWrite[] };

export type VariantWrite = { stored: VariantRow | undefined; row: Omit<VariantRow, 'productId' | 'position'> };

/**
 * The steps that write any number of products and their metadata: at most one statement for each table and kind of
 * write. Only what differs from the stored rows is written. A product whose variants or metadata change gets a new
 * `version` and `updatedAt` too. A new product is inserted before its parts, so that its event is recorded as `created`
 * from the start. `insertProducts` makes the step; by default a `sourceId` that another product has is refused with
 * CONFLICT.
 */
export async function writeProductRows(
  ctx: MerchantContext,
  writes: ProductWrite[],
  metaData: Pick<PageMetadataWrite, 'steps' | 'changed'>,
  insertProducts = (ctx: MerchantContext, rows: ProductRow[]): PipelineStep<void>[] => insert(ctx, product, rows),
): Promise<PipelineStep[]> {
  const parts = (await mapInSlices(ctx, writes, variantRows)).flat();
  const changedParts = new Set(parts.map(({ row: { productId } }) => productId));
  const created = writes.filter(({ stored }) => !stored);
  const changed = writes.filter(
    ({ stored, row }) =>
      stored && (changedParts.has(row.id) || metaData.changed.has(row.id) || !isUnchanged(row, stored)),
  );
  return [
    ...update(
      ctx,
      product,
      changed.map(({ row }) => ({ ...row, version: row.version + 1 })),
    ),
    ...update(
      ctx,
      variant,
      parts.filter(({ isNew }) => !isNew).map(({ row }) => row),
    ),
    ...insertProducts(
      ctx,
      created.map(({ row }) => row),
    ),
    ...insert(
      ctx,
      variant,
      parts.filter(({ isNew }) => isNew).map(({ row }) => row),
    ),
    ...metaData.steps,
  ];
}

/** The rows of the variants that are new or changed. */
function variantRows({ row: { id: productId }, variants }: ProductWrite): { isNew: boolean; row: VariantRow }[] {
  const rows = withPositions(variants.map(({ stored, row }) => ({ ...row, productId, position: stored?.position })));
  return rows.flatMap((row, index) => {
    const { stored } = variants[index]!;
    return stored && isUnchanged(row, stored) ? [] : [{ isNew: !stored, row }];
  });
}

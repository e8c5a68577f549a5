import { product, variant } from '../../../drizzle/product.ts';
import type { Tenant } from '../../db/sql/tenant.ts';
import { asSingleStatement, type PipelineStep } from '../../db/connection/pipeline.ts';
import { insert, update } from '../../db/write/write.ts';
import type { ProductRow, VariantRow } from './stored-products.ts';

/** The row of a product and of all its variants in their order. Removed variants are marked as deleted. */
export type ProductWrite = { isNew: boolean; row: ProductRow; variants: VariantWrite[] };

/** `isUnchanged`: the stored row is the same, in the same position. */
export type VariantWrite = { isNew: boolean; isUnchanged: boolean; row: Omit<VariantRow, 'productId' | 'position'> };

/**
 * The steps that write any number of products and their metadata: at most one statement for each table and kind of
 * write. A new product is inserted before its parts, so that its event is recorded as `created` from the start.
 */
export function writeProducts(ctx: Tenant, writes: ProductWrite[], metaData: readonly PipelineStep[]): PipelineStep[] {
  const created = writes.filter(({ isNew }) => isNew);
  const changed = writes.filter(({ isNew }) => !isNew);
  return [
    ...update(
      ctx,
      product,
      changed.map(({ row }) => row),
    ),
    ...update(
      ctx,
      variant,
      variantRows(changed, ({ isNew, isUnchanged }) => !isNew && !isUnchanged),
    ),
    ...insert(
      ctx,
      product,
      created.map(({ row }) => row),
    ),
    ...asSingleStatement([
      ...insert(
        ctx,
        variant,
        variantRows(writes, ({ isNew }) => isNew),
      ),
      ...metaData,
    ]),
  ];
}

function variantRows(writes: ProductWrite[], isWanted: (variant: VariantWrite) => boolean): VariantRow[] {
  return writes.flatMap(({ row: { id: productId }, variants }) =>
    variants.flatMap((write, position) => (isWanted(write) ? [{ ...write.row, productId, position }] : [])),
  );
}

import { product, variant } from '../../../drizzle/product.ts';
import type { Tenant } from '../../db/sql/tenant.ts';
import { asSingleStatement, type PipelineStep } from '../../db/write/pipeline.ts';
import { insert, update } from '../../db/write/write.ts';
import type { ProductRow, VariantRow } from './stored-products.ts';

/** A product as it is to stand in its table, with all its variants in their order; those it does not have any more are marked as deleted. */
export type ProductWrite = { isNew: boolean; row: ProductRow; variants: VariantWrite[] };

/** `isUnchanged`: the row stands in its table already, in this place. */
export type VariantWrite = { isNew: boolean; isUnchanged: boolean; row: Omit<VariantRow, 'productId' | 'position'> };

/**
 * The steps that write any number of products and their metadata, as many as there are tables at most. A new product goes before
 * its parts, as its event is told from the first that is known of it.
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

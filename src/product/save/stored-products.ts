import { product, variant } from '../../../drizzle/product.ts';
import type { Context } from '../../context.ts';
import { selectStoredRows, type StoredRow } from '../../db/write/stored-rows.ts';
import { type PipelineStep, pipeline } from '../../db/write/pipeline.ts';

export type ProductRow = StoredRow<typeof product>;
export type VariantRow = StoredRow<typeof variant>;

/** What a save has to know of a product that exists, to keep what is left out. */
export type StoredProduct = { row: ProductRow; variants: Map<string, VariantRow> };

/** The products, held until the transaction ends so that two saves of one happen one after the other. Unknown ids are left out. */
export async function readProductsForUpdate(ctx: Context, ids: readonly string[]): Promise<Map<string, StoredProduct>> {
  const stored = new Map<string, StoredProduct>();
  if (ids.length === 0) return stored;
  await pipeline(ctx, [
    read<ProductRow>(selectStoredRows(ctx, product, 'id', ids, true), (row) =>
      stored.set(row.id, { row, variants: new Map() }),
    ),
    // Of a product that came after the first statement there may be variants, and no row.
    read<VariantRow>(selectStoredRows(ctx, variant, 'productId', ids), (row) =>
      stored.get(row.productId)?.variants.set(row.id, row),
    ),
  ]);
  return stored;
}

function read<Row>(statement: PipelineStep['statement'], add: (row: Row) => unknown): PipelineStep {
  return { statement, read: (rows) => rows.forEach((row) => void add(row as Row)) };
}

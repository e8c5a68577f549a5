import { product, variant } from '../../../drizzle/product.ts';
import type { Context } from '../../context.ts';
import { storedRows, type StoredRow } from '../../db/write/stored-rows.ts';
import { type PipelineStep, pipeline } from '../../db/connection/pipeline.ts';

export type ProductRow = StoredRow<typeof product>;
export type VariantRow = StoredRow<typeof variant>;

/** A stored product with all its variants, deleted ones too. A save keeps the members that the input leaves out. */
export type StoredProduct = { row: ProductRow; variants: Map<string, VariantRow> };

/**
 * Reads the products and locks them until the end of the transaction, so that saves of one product run one by one.
 * Omits unknown ids.
 */
export async function readProductsForUpdate(ctx: Context, ids: readonly string[]): Promise<Map<string, StoredProduct>> {
  const stored = new Map<string, StoredProduct>();
  if (ids.length === 0) return stored;
  await pipeline(ctx, [
    forEachRow(storedRows(ctx, product, 'id', ids, true), (row) => stored.set(row.id, { row, variants: new Map() })),
    // A product inserted after the first statement can have variants here without a row.
    forEachRow(storedRows(ctx, variant, 'productId', ids), (row) =>
      stored.get(row.productId)?.variants.set(row.id, row),
    ),
  ]);
  return stored;
}

function forEachRow<Row>({ statement, read }: PipelineStep<Row[]>, use: (row: Row) => unknown): PipelineStep {
  return { statement, read: (rows) => read(rows).forEach((row) => void use(row)) };
}

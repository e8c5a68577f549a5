import { product } from '../../../drizzle/product.ts';
import type { Context } from '../../context.ts';
import type { PipelineStep } from '../../db/connection/pipeline.ts';
import { update } from '../../db/write/write.ts';
import { argumentInvalid, conflict, invalidAt, notFound } from '../../errors.ts';
import { idsBySourceId } from '../stored/product-keys.ts';
import type { ReadProduct } from '../stored/read-products.ts';
import type { StoredProduct } from '../stored/stored-products.ts';
import type { ProductWrite } from '../stored/write-product-rows.ts';
import type { BulkProductInput } from './bulk-products-input.ts';

/** The id of the stored product that each entry updates: its own id, else the product with its `sourceId`. */
export async function bulkProductIds(ctx: Context, products: BulkProductInput[]): Promise<(string | undefined)[]> {
  const bySource = await idsBySourceId(
    ctx,
    products.flatMap(({ sourceId }) => sourceId ?? []),
  );
  const ids = products.map(({ id, sourceId }) => id ?? (sourceId == null ? undefined : bySource.get(sourceId)));
  refuseRepeatedProduct(products, ids);
  refuseTakenSourceIds(products, bySource);
  return ids;
}

/** The unique index would refuse them too, without naming the entry. */
function refuseTakenSourceIds(products: BulkProductInput[], bySource: ReadonlyMap<string, string>): void {
  const givingIds = new Set(products.filter(({ sourceId }) => sourceId !== undefined).map(({ id }) => id));
  const index = products.findIndex(({ id, sourceId }) => {
    if (id === undefined || sourceId == null) return false;
    const other = bySource.get(sourceId);
    return other !== undefined && other !== id && !givingIds.has(other);
  });
  if (index === -1) return;
  throw conflict('Another product already has this sourceId.', { path: ['input', index, 'sourceId'] });
}

/**
 * The step that clears each `sourceId` that another product of the request gets. Without it products could not swap them,
 * because the unique index is checked for each row when it is written.
 */
export function releasedSourceIds(ctx: Context, writes: readonly ProductWrite[]): PipelineStep<void>[] {
  const takers = new Map(writes.map(({ row }) => [row.sourceId, row.id]));
  const released = writes.flatMap(({ stored }) => {
    const isTaken = stored && stored.sourceId !== null && (takers.get(stored.sourceId) ?? stored.id) !== stored.id;
    return isTaken ? [{ id: stored.id, sourceId: null }] : [];
  });
  return update(ctx, product, released);
}

/** Refuses products that have been changed since they were read, if the caller requires that they have not. */
export function refuseChangedProducts(
  ids: (string | undefined)[],
  stored: Map<string, StoredProduct>,
  read: ReadonlyMap<string, ReadProduct>,
): void {
  const issues = ids.flatMap((id, index) => {
    const known = read.get(id ?? '');
    const isSame = !known?.isRequired || known.stored.row.version === stored.get(id!)?.row.version;
    return isSame ? [] : [{ path: ['input', index], message: 'has been changed in the shop during the import' }];
  });
  if (issues.length > 0) throw argumentInvalid(issues);
}

function refuseRepeatedProduct(products: BulkProductInput[], ids: (string | undefined)[]): void {
  const firsts = new Map(ids.map((id, index) => [id, index] as const).reverse());
  const second = ids.findIndex((id, index) => id !== undefined && firsts.get(id)! < index);
  if (second === -1) return;
  const key = products[second]!.id === undefined ? 'sourceId' : 'id';
  throw invalidAt(['input', second, key], 'must not be a product that another entry names too');
}

export function refuseUnknownProducts(ids: (string | undefined)[], stored: Map<string, StoredProduct>): void {
  const isUnknown = (id: string | undefined) => id !== undefined && !stored.has(id);
  const unknown = ids.filter(isUnknown) as string[];
  if (unknown.length > 0) throw notFound('Product', unknown, ['input', ids.findIndex(isUnknown), 'id']);
}

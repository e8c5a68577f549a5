import type { Context } from '../../context.ts';
import type { PortableProduct } from '../portable/portable-product.ts';
import { readPortableProducts } from '../portable/portable-products.ts';
import { idsBySlug, idsBySourceId } from '../save/product-keys.ts';
import { normalizedName } from '../../field-input.ts';
import type { Layout } from './columns.ts';
import type { CsvProduct } from './read-csv.ts';
import { rowReader } from './row-reader.ts';

/**
 * The stored product for each product of the file. A source id in the file decides. Our exports have the column of
 * source ids, and their handles are slugs first; in other files a handle is a source id first, because that is how an
 * import stores it.
 */
export async function matchingProducts(
  ctx: Context,
  csvProducts: readonly CsvProduct[],
  layout: Layout,
): Promise<(PortableProduct | undefined)[]> {
  const reader = rowReader(layout);
  const isOurs = reader.has('sourceId');
  const keys = csvProducts.map(({ handle, rows }) => ({
    handle,
    sourceId: reader.read(rows[0]!, 'sourceId', normalizedName),
  }));
  const bySourceId = await idsBySourceId(
    ctx,
    keys.map(({ handle, sourceId }) => sourceId ?? handle).filter(isStorable),
  );
  const bySlug = await idsBySlug(ctx, keys.map(({ handle }) => handle).filter(isStorable));
  const ids = keys.map(({ handle, sourceId }) => {
    if (sourceId) return bySourceId.get(sourceId);
    const [first, second] = isOurs ? [bySlug, bySourceId] : [bySourceId, bySlug];
    return first.get(handle) ?? second.get(handle);
  });
  const stored = await readPortableProducts(ctx, [...new Set(ids.filter((id) => id !== undefined))]);
  const byId = new Map(stored.map((product) => [product.id, product]));
  return ids.map((id) => byId.get(id ?? ''));
}

/** Postgres refuses NUL in texts, also in conditions. */
function isStorable(text: string): boolean {
  return !text.includes('\0');
}

import type { Context } from '../../context.ts';
import type { PortableProduct } from '../stored/portable-product.ts';
import { readPortableProducts } from '../stored/portable-products.ts';
import { idsBySlug, idsBySourceId } from '../../product/save/product-keys.ts';
import type { FileProduct } from './file-product.ts';

/**
 * The stored product for each product of the file. A source id in the file decides. Handles of our exports are slugs
 * first; in other files a handle is a source id first, because that is how an import stores it.
 */
export async function matchingProducts(
  ctx: Context,
  products: readonly FileProduct[],
): Promise<(PortableProduct | undefined)[]> {
  const bySourceId = await idsBySourceId(
    ctx,
    products.map(({ handle, sourceId }) => sourceId ?? handle).filter(isStorable),
  );
  const bySlug = await idsBySlug(ctx, products.map(({ handle }) => handle).filter(isStorable));
  const ids = products.map(({ handle, sourceId, isSlugFirst }) => {
    if (sourceId !== null) return bySourceId.get(sourceId);
    const [first, second] = isSlugFirst ? [bySlug, bySourceId] : [bySourceId, bySlug];
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

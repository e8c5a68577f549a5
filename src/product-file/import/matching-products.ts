import type { Context } from '../../context.ts';
import { type PortableProduct, readPortableProducts } from '../stored/portable-product.ts';
import { idsBySlug, idsBySourceId } from '../../product/stored/product-keys.ts';
import type { FileProduct } from './file-product.ts';
import { type Place, placeOf, repeated, type Skipped } from './skipped.ts';

/**
 * The stored product for each product of the file. A source id in the file decides, unless no product has it and the one
 * with the handle has none. If the stored product with the handle has another source id, it is another product, and `onOther`
 * is called with that source id. Handles of our exports are slugs first; in other files a handle is a source id first, because
 * that is how an import stores it.
 */
export async function matchingProducts(
  ctx: Context,
  products: readonly FileProduct[],
  onOther: (product: FileProduct, sourceId: string) => void = () => {},
): Promise<(PortableProduct | undefined)[]> {
  const bySourceId = await idsBySourceId(
    ctx,
    products.map(({ handle, sourceId }) => sourceId ?? handle).filter(isStorable),
  );
  const bySlug = await idsBySlug(ctx, products.map(({ handle }) => handle).filter(isStorable));
  const ids = products.map(({ handle, sourceId, isSlugFirst }) => {
    if (sourceId !== null) return bySourceId.get(sourceId) ?? bySlug.get(handle);
    const [first, second] = isSlugFirst ? [bySlug, bySourceId] : [bySourceId, bySlug];
    return first.get(handle) ?? second.get(handle);
  });
  const stored = await readPortableProducts(ctx, [...new Set(ids.filter((id) => id !== undefined))]);
  const byId = new Map(stored.map((product) => [product.stored.row.id, product]));
  return ids.map((id, index) => {
    const found = byId.get(id ?? '');
    const product = products[index]!;
    const foundSourceId = found?.stored.row.sourceId ?? product.sourceId;
    if (foundSourceId === null || product.sourceId === null || foundSourceId === product.sourceId) return found;
    onOther(product, foundSourceId);
    return undefined;
  });
}

/** Postgres refuses NUL in texts, also in conditions. */
export function isStorable(text: string): boolean {
  return !text.includes('\0');
}

/** A product of the file: its place, and the stored product, or else the source id with which it is created. */
type SeenProduct = { place: Place; id: string | undefined; sourceId: string };

/**
 * The products of the file so far, by everything that identifies them. Without it, a product that the file has twice would
 * be overwritten by its second line, which another batch may write. Only these keys are kept, because a file may be large.
 */
export class SeenProducts {
  readonly #byKey = new Map<string, SeenProduct>();

  /** Skips a product that the file has on an earlier line. A batch may be tried again, so the same line is no repetition. */
  isFirst(product: FileProduct, stored: PortableProduct | undefined, { skipped }: { skipped: Skipped[] }): boolean {
    const { handle, sourceId } = product;
    const keys = keysOf(product, stored);
    const earlier = keys
      .map((key) => this.#byKey.get(key)?.place)
      .find((place) => place !== undefined && place.line !== product.line);
    if (earlier) skipped.push(repeated(product, earlier));
    const seen = { place: placeOf(product), id: stored?.stored.row.id, sourceId: sourceId ?? handle };
    if (!earlier) for (const key of keys) this.#byKey.set(key, seen);
    return earlier === undefined;
  }

  /** The product that the file has with this handle. */
  withHandle(handle: string): SeenProduct | undefined {
    return this.#byKey.get(handleKey(handle));
  }
}

/** Two handles may mean one product: one by its source id, one by its slug. */
function keysOf({ handle, sourceId }: FileProduct, product: PortableProduct | undefined): string[] {
  const stored = product?.stored.row;
  const source = stored?.sourceId ?? sourceId ?? (stored ? null : handle);
  return [
    handleKey(handle),
    ...(source === null ? [] : [`source id ${source}`]),
    ...(stored ? [`id ${stored.id}`] : []),
  ];
}

function handleKey(handle: string): string {
  return `handle ${handle}`;
}

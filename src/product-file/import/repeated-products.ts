import type { PortableProduct } from '../stored/portable-product.ts';
import type { FileProduct, Skipped } from './file-product.ts';

/**
 * The products of the file so far, by everything that identifies them. Without it, a product that the file has twice would
 * be overwritten by its second line, which another batch may write. Only lines are kept, because a file may be large.
 */
export class RepeatedProducts {
  readonly #lines = new Map<string, number>();

  /** Skips a product that the file has on an earlier line. A batch may be tried again, so the same line is no repetition. */
  isFirst(product: FileProduct, stored: PortableProduct | undefined, { skipped }: { skipped: Skipped[] }): boolean {
    const { line, handle } = product;
    const keys = keysOf(product, stored);
    const earlier = keys.map((key) => this.#lines.get(key)).find((known) => known !== undefined && known !== line);
    if (earlier === undefined) for (const key of keys) this.#lines.set(key, line);
    else skipped.push({ line, handle, reason: `is a product that the file has on line ${earlier} already` });
    return earlier === undefined;
  }
}

/** Two handles may mean one product: one by its source id, one by its slug. */
function keysOf({ handle, sourceId }: FileProduct, stored: PortableProduct | undefined): string[] {
  const source = stored ? stored.sourceId : (sourceId ?? handle);
  return [
    `handle ${handle}`,
    ...(source === null ? [] : [`source id ${source}`]),
    ...(stored ? [`id ${stored.id}`] : []),
  ];
}

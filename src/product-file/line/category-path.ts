import type { PortableProduct } from '../stored/portable-product.ts';

/** The names of a category from its root. */
export function categoryPath({ name, ancestors }: PortableProduct['categories'][number]): string[] {
  return [...ancestors.map((ancestor) => ancestor.name), name];
}

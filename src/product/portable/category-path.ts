import type { PortableProduct } from './portable-product.ts';

/** The names of a category from its root. */
export function categoryPath({ name, ancestors }: PortableProduct['categories'][number]): string[] {
  return [...ancestors.map((ancestor) => ancestor.name), name];
}

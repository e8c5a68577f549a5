import type { MerchantContext } from '../../context.ts';
import { objectsOf } from '../../db/read/stored-list.ts';
import { handleOf, type PortableProduct, readPortableProducts } from '../stored/portable-product.ts';
import type { BundledProduct, BundledVariant } from './named-records.ts';
import type { VariantLine } from './product-line-input.ts';
import { storedKeys, variantKey } from './variant-keys.ts';

/** Products read at once. A bundle may have a thousand. */
const BATCH_SIZE = 200;

/** The products in the bundles of these products, by id. Deleted ones are left out. */
export async function productsInBundles(
  ctx: MerchantContext,
  products: readonly PortableProduct[],
): Promise<Map<string, BundledProduct>> {
  const contents = products.flatMap(({ variants }) =>
    variants.flatMap(({ row }) => objectsOf<{ productId: string }>(row.bundleSettings?.products)),
  );
  return await bundledProducts(ctx, [...new Set(contents.map(({ productId }) => productId))]);
}

export async function bundledProducts(
  ctx: MerchantContext,
  ids: readonly string[],
): Promise<Map<string, BundledProduct>> {
  const found = new Map<string, BundledProduct>();
  for (let from = 0; from < ids.length; from += BATCH_SIZE)
    for (const product of await readPortableProducts(ctx, ids.slice(from, from + BATCH_SIZE)))
      if (!product.stored.row.deleted) found.set(product.stored.row.id, asBundled(product));
  return found;
}

/** The handles of the products that the bundles of a file name. */
export function handlesIn(variants: readonly Pick<VariantLine, 'bundle'>[]): string[] {
  return variants.flatMap(({ bundle }) => (bundle?.products ?? []).map(({ product }) => product));
}

function asBundled(product: PortableProduct): BundledProduct {
  const keys = storedKeys(product.variants);
  const variants = product.variants.map((variant, index) => ({
    id: variant.id,
    key: keys[index]!,
    identity: variantKey(variant),
  }));
  return { id: product.stored.row.id, handle: handleOf(product), variants, byFileKey: variantsByFileKey(variants) };
}

/**
 * The variants of a product by the keys that a file may have for them. The shop may have given them source ids that the
 * file does not know, so they are found by their values or sku too, if no other variant has these.
 */
function variantsByFileKey(variants: readonly BundledVariant[]): ReadonlyMap<string, BundledVariant> {
  const alike = Map.groupBy(variants, ({ identity }) => identity);
  const unique = variants.filter(({ identity }) => alike.get(identity)!.length === 1);
  return new Map([
    ...unique.map((variant) => [variant.identity, variant] as const),
    ...variants.map((variant) => [variant.key, variant] as const),
  ]);
}

import type { Context } from '../../context.ts';
import type { Selection } from '../../db/read/projection.ts';
import { readRecords } from '../../db/read/read-records.ts';
import { handleOf, type PortableProduct, portableProductProjection } from '../stored/portable-product.ts';
import type { BundledProduct } from './named-records.ts';
import { storedKeys } from './variant-keys.ts';

/** Products read by one statement. A bundle may have a thousand. */
const BATCH_SIZE = 200;
/** What identifies a product and its variants in a file. */
const KEYS: Selection = {
  id: {},
  deleted: {},
  metaData: { slug: {} },
  variants: { id: {}, sourceId: {}, sku: {}, variantValues: { name: {} } },
};

/** The products in the bundles of these products, by id. Deleted ones are left out. */
export async function productsInBundles(
  ctx: Pick<Context, 'db' | 'merchantId'>,
  products: readonly PortableProduct[],
): Promise<Map<string, BundledProduct>> {
  const contents = products.flatMap(({ variants }) =>
    variants.flatMap(({ bundleSettings }) => bundleSettings?.products ?? []),
  );
  return await bundledProducts(ctx, [...new Set(contents.map(({ productId }) => productId))]);
}

export async function bundledProducts(
  ctx: Pick<Context, 'db' | 'merchantId'>,
  ids: readonly string[],
): Promise<Map<string, BundledProduct>> {
  const found = new Map<string, BundledProduct>();
  for (let from = 0; from < ids.length; from += BATCH_SIZE)
    for (const product of await readRecords(ctx, portableProductProjection, ids.slice(from, from + BATCH_SIZE), KEYS))
      if (!product.deleted) found.set(product.id, asBundled(product));
  return found;
}

function asBundled(product: PortableProduct): BundledProduct {
  const keys = storedKeys(product.variants);
  const variants = product.variants.map(({ id }, index) => ({ id, key: keys[index]! }));
  return { id: product.id, handle: handleOf(product), variants };
}

import type { Context } from '../../context.ts';
import { CommerceError } from '../../errors.ts';
import { readPortableProducts } from '../stored/portable-products.ts';
import type { PortableVariant } from '../stored/portable-variant.ts';
import type { BundleEntry } from '../line/product-line-input.ts';
import type { BundledProduct } from '../line/named-records.ts';
import { variantsByKey } from '../line/variant-keys.ts';
import { idsBySlug, idsBySourceId } from '../../product/stored/product-keys.ts';
import { updateProduct } from '../../product/updateProduct.ts';
import { bundledProducts } from '../line/bundled-products.ts';
import type { Changes } from './changed-members.ts';
import type { FileProduct, ReadProduct, Skipped } from './file-product.ts';

/**
 * Maximum number of bundles that wait until all products of the file are imported. Further bundles of the file are
 * skipped.
 */
const MAX_WAITING = 20_000;
const BATCH_SIZE = 100;
const NO_VARIANT = 'bundle: its variant cannot be told from the others: write its source id';

/** The contents of a variant's bundle. The id is undefined for a variant that the import creates. */
export type WantedBundle = { variantId: string | undefined; variantKey: string; bundle: BundleEntry | null };

type Waiting = { line: number; handle: string; bundles: WantedBundle[] };

/**
 * The bundles of a file. They are written after all its products, because a bundle may precede the products that it
 * contains.
 */
export class Bundles {
  readonly #waiting: Waiting[] = [];

  add({ line, handle }: FileProduct, bundles: WantedBundle[], { skipped }: { skipped: Skipped[] }): void {
    if (bundles.length === 0) return;
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push({ line, handle, bundles });
    else skipped.push({ line, handle, reason: `has a bundle, of which a file may have ${MAX_WAITING}` });
  }

  async write(ctx: Context, { skipped }: { skipped: Skipped[] }): Promise<void> {
    for (let from = 0; from < this.#waiting.length; from += BATCH_SIZE)
      await writeBundles(ctx, this.#waiting.slice(from, from + BATCH_SIZE), skipped);
  }
}

/** The bundles of the file that differ from the stored ones. */
export function changedBundles({ variants }: ReadProduct, changes: Changes): WantedBundle[] {
  return changes.variants.flatMap(({ bundle }, index) => {
    const { line, known } = variants[index]!;
    return bundle === undefined || (bundle === null && !known)
      ? []
      : [{ variantId: known?.id, variantKey: line.sourceId!, bundle }];
  });
}

/** Finds a variant by its id or its key. If the product has one variant only, any key means this variant. */
function variantFinder(variants: readonly PortableVariant[]): (wanted: WantedBundle) => PortableVariant | undefined {
  const byKey = variantsByKey(variants);
  const byId = new Map(variants.map((variant) => [variant.id, variant]));
  return ({ variantId, variantKey }) =>
    byId.get(variantId ?? '') ?? byKey.get(variantKey) ?? (variants.length === 1 ? variants[0] : undefined);
}

async function writeBundles(ctx: Context, waiting: readonly Waiting[], skipped: Skipped[]): Promise<void> {
  const handles = waiting.flatMap(({ handle, bundles }) => [
    handle,
    ...bundles.flatMap(({ bundle }) => (bundle?.products ?? []).map(({ product }) => product)),
  ]);
  const ids = await idsOfHandles(ctx, [...new Set(handles)]);
  const own = await readPortableProducts(ctx, [...new Set(waiting.flatMap(({ handle }) => ids.get(handle) ?? []))]);
  const ownById = new Map(own.map((product) => [product.id, product]));
  const bundled = await bundledProducts(ctx, [...new Set(ids.values())]);
  for (const { line, handle, bundles } of waiting) {
    const product = ownById.get(ids.get(handle) ?? '');
    if (!product) continue;
    const findVariant = variantFinder(product.variants);
    for (const wanted of bundles) {
      const variant = findVariant(wanted);
      const find = (name: string) => bundled.get(ids.get(name) ?? '');
      const reason = variant ? await writeBundle(ctx, product.id, variant.id, wanted.bundle, find) : NO_VARIANT;
      if (reason !== null) skipped.push({ line, handle, reason });
    }
  }
}

/** The ids of products by their handles. A handle is compared with slugs first, as our exports write them. */
async function idsOfHandles(ctx: Context, handles: readonly string[]): Promise<Map<string, string>> {
  return new Map([...(await idsBySourceId(ctx, handles)), ...(await idsBySlug(ctx, handles))]);
}

/** Returns the reason if the bundle cannot be written. */
async function writeBundle(
  ctx: Context,
  productId: string,
  variantId: string,
  bundle: BundleEntry | null,
  find: (handle: string) => BundledProduct | undefined,
): Promise<string | null> {
  const missing = bundle?.products.find(({ product }) => !find(product));
  if (missing) return `bundle: there is no product with the handle ${JSON.stringify(missing.product)}`;
  for (const { product, variants } of bundle?.products ?? []) {
    const known = new Set(find(product)!.variants.map(({ key }) => key));
    const unknown = variants.find((key) => !known.has(key));
    // Without its variants, an entry would offer all variants of the product.
    if (unknown !== undefined)
      return `bundle: the product ${JSON.stringify(product)} has no variant ${JSON.stringify(unknown)}`;
  }
  const bundleSettings = bundle && {
    ...bundle,
    products: bundle.products.map(({ product, variants, ...settings }) => {
      const { id, variants: known } = find(product)!;
      const ids = new Map(known.map((variant) => [variant.key, variant.id]));
      return { ...settings, productId: id, filteredVariantIds: variants.flatMap((key) => ids.get(key) ?? []) };
    }),
  };
  try {
    await updateProduct(ctx, { id: productId, patch: { variants: [{ id: variantId, bundleSettings }] } }, { id: {} });
    return null;
  } catch (error) {
    if (error instanceof CommerceError) return `bundle: ${error.message}`;
    throw error;
  }
}

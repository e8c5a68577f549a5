import type { Context } from '../../context.ts';
import { CommerceError } from '../../errors.ts';
import type { BundleEntry } from '../line/product-line-input.ts';
import type { BundledProduct, ProductIds } from '../line/named-records.ts';
import { idsBySlug, idsBySourceId } from '../../product/stored/product-keys.ts';
import { updateProduct } from '../../product/updateProduct.ts';
import { bundledProducts, handlesIn } from '../line/bundled-products.ts';
import type { Changes } from './changed-members.ts';
import type { FileProduct, MemberPlace, ReadProduct } from './file-product.ts';
import type { Imported } from './import-run.ts';
import { isStorable, type SeenProducts } from './matching-products.ts';
import type { ImportEntry } from './send-entries.ts';
import { type Mistake, skippedBy, skippedFor } from './skipped.ts';

/**
 * Maximum number of bundles that wait until all products of the file are imported. Further bundles of the file are
 * skipped.
 */
const MAX_WAITING = 20_000;
const BATCH_SIZE = 100;
export const NO_VARIANT = 'its variant cannot be told from the others: write its source id';

/**
 * A variant's bundle in the file, with its place there and its name in messages. `variantId` is undefined for a variant
 * that the import creates.
 */
export type WantedBundle = {
  variantId: string | undefined;
  variantKey: string;
  bundle: BundleEntry | null;
  place: Omit<MemberPlace, 'title'>;
  name: string;
};

type Waiting = Pick<ImportEntry, 'bundles' | 'isOnlyBundles'> & { handle: string };
type Counts = Pick<Imported, 'updated' | 'skipped'>;

/**
 * The bundles of a file. They are written after all its products, because a bundle may precede the products that it
 * contains.
 */
export class Bundles {
  readonly #waiting: Waiting[] = [];

  add({ product, bundles, isOnlyBundles }: ImportEntry, { skipped }: Counts): void {
    if (bundles.length === 0) return;
    // Without the rest of the product, which may have megabytes.
    const part = { handle: product.handle, bundles, isOnlyBundles };
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(part);
    else skipped.push(skippedFor(product, `has a bundle, of which a file may have ${MAX_WAITING}`));
  }

  async write(ctx: Context, seen: SeenProducts, counts: Counts): Promise<void> {
    for (let from = 0; from < this.#waiting.length; from += BATCH_SIZE)
      await writeBundles(ctx, this.#waiting.slice(from, from + BATCH_SIZE), seen, counts);
  }
}

/** The bundles of the file that differ from the stored ones. */
export function changedBundles(product: FileProduct, { variants }: ReadProduct, changes: Changes): WantedBundle[] {
  return changes.variants.flatMap(({ bundle }, index) => {
    if (bundle === undefined) return [];
    const { line, known } = variants[index]!;
    const path = ['variants', index, 'bundle'];
    const { title, ...place } = product.locate(path);
    return [{ variantId: known?.id, variantKey: line.sourceId!, bundle, place, name: title ?? path.join('.') }];
  });
}

async function writeBundles(
  ctx: Context,
  waiting: readonly Waiting[],
  seen: SeenProducts,
  counts: Counts,
): Promise<void> {
  const handles = waiting.flatMap(({ handle, bundles }) => [handle, ...handlesIn(bundles)]);
  const ids = await idsOfHandles(ctx, handles, seen);
  const products = await bundledProducts(
    ctx,
    [...new Set(ids.values())].filter((id) => id !== undefined),
  );
  const find: FindProduct = (handle) => {
    const product = products.get(ids.get(handle) ?? '');
    if (product) return product;
    throw unknown(`there is no product with the handle ${JSON.stringify(handle)}`);
  };
  for (const { handle, bundles, isOnlyBundles } of waiting) {
    const mistakes: Mistake[] = [];
    for (const wanted of bundles) {
      const message = await writeBundle(ctx, handle, wanted, find);
      const reason = `${wanted.name}: ${message}; the rest of the product is imported`;
      if (message !== null) mistakes.push({ ...wanted.place, reason });
    }
    if (mistakes.length > 0) counts.skipped.push(skippedBy(handle, mistakes));
    // The product was counted as updated before its bundles were written. None of them was, so nothing has changed.
    if (isOnlyBundles && mistakes.length === bundles.length) counts.updated -= 1;
  }
}

/**
 * The ids of products by their handles. A handle of the file is its product there. Any other is compared with slugs first, as
 * our exports write them.
 */
export async function idsOfHandles(ctx: Context, named: readonly string[], seen: SeenProducts): Promise<ProductIds> {
  const handles = [...new Set(named)].filter(isStorable);
  const own = new Map(handles.map((handle) => [handle, seen.withHandle(handle)]));
  const sourceIdOf = (handle: string): string => own.get(handle)?.sourceId ?? handle;
  const bySourceId = await idsBySourceId(ctx, handles.map(sourceIdOf).filter(isStorable));
  const bySlug = await idsBySlug(
    ctx,
    handles.filter((handle) => !own.get(handle)),
  );
  const idOf = (handle: string): string | undefined =>
    own.get(handle)?.id ?? bySlug.get(handle) ?? bySourceId.get(sourceIdOf(handle));
  return new Map(handles.map((handle) => [handle, idOf(handle)]));
}

/** Throws for what the merchant does not have. */
type FindProduct = (handle: string) => BundledProduct;

/** Returns the mistake if the bundle cannot be written. */
async function writeBundle(
  ctx: Context,
  handle: string,
  { variantId, variantKey, bundle }: WantedBundle,
  find: FindProduct,
): Promise<string | null> {
  try {
    const { id, variants } = find(handle);
    const variant =
      variantId === undefined
        ? (variants.find(({ key }) => key === variantKey) ?? (variants.length === 1 ? variants[0] : undefined))
        : variants.find(({ id }) => id === variantId);
    if (!variant) return NO_VARIANT;
    const bundleSettings = bundle && { ...bundle, products: bundle.products.map((entry) => withIds(entry, find)) };
    await updateProduct(ctx, { id, patch: { variants: [{ id: variant.id, bundleSettings }] } }, { id: {} });
    return null;
  } catch (error) {
    if (error instanceof CommerceError) return messageOf(error);
    throw error;
  }
}

/** The messages alone: their paths name members of the API's input, which the file does not have. */
function messageOf({ message, extensions }: CommerceError): string {
  const { issues = [{ message }] } = extensions as { issues?: { message: string }[] };
  return issues.map(({ message }) => message).join(', ');
}

function withIds({ product, variants, ...settings }: BundleEntry['products'][number], find: FindProduct) {
  const found = find(product);
  const filteredVariantIds = variants.map((key) => {
    // Without its variants, an entry would offer all variants of the product.
    const variant = found.byFileKey.get(key);
    if (!variant) throw unknown(`the product ${JSON.stringify(product)} has no variant ${JSON.stringify(key)}`);
    return variant.id;
  });
  return { ...settings, productId: found.id, filteredVariantIds };
}

function unknown(message: string): CommerceError {
  return new CommerceError('NOT_FOUND', message);
}

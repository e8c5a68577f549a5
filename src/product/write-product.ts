import type { Context } from '../context.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import type { Selection } from '../db/read/projection.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import { type InputPath, notFound } from '../errors.ts';
import type { Product } from '../graphql/generated/types.ts';
import { preparePageMetadata } from '../page-metadata/save-page-metadata.ts';
import {
  automatedCategories,
  automatedCategoriesCheck,
  concernedCategories,
  withStoredCategories,
} from './checks/automated-categories.ts';
import { addedToBundles, bundleCheck, bundleLock } from './checks/bundle-check.ts';
import { productReferenceChecks } from './checks/product-references.ts';
import type { ProductInput } from './input/product-input.ts';
import { mergeProduct } from './merge/merge-product.ts';
import { refuseRepeatedOptions, type UnnamedVariants } from './merge/merge-variants.ts';
import { refuseMissingSellPrices, storablePrices, withStorablePrices } from './merge/storable-prices.ts';
import { shownProduct } from './product.ts';
import { readProductsForUpdate, type StoredProduct } from './stored/stored-products.ts';
import { writeProductRows } from './stored/write-product-rows.ts';

/** A product to write. `path` is the path of its input in the arguments, for errors. */
type ProductRequest = {
  input: ProductInput;
  stored: StoredProduct | undefined;
  unnamed: UnnamedVariants;
  path: InputPath;
  /** The automated ones of the categories that a new product names, if they are known. */
  automated?: ReadonlySet<string>;
};

/**
 * Checks and writes one product in the transaction of `ctx`, and returns it as it is stored. Throws
 * AutomatedCategoriesError if a new product names automated categories and `automated` does not tell which.
 */
export async function writeProduct(ctx: Context, request: ProductRequest, selection: Selection): Promise<Product> {
  const { stored, unnamed, path } = request;
  const concerned = concernedCategories(request.input, stored);
  // Inputs of new products hardly ever name one. To read them first would take a tenth of the time of the save.
  const isNoneAssumed = !stored && !request.automated;
  const prices = request.input.variants.flatMap((variant) => variant.prices);
  const [storable, automated] = await Promise.all([
    storablePrices(ctx, prices),
    isNoneAssumed ? new Set<string>() : (request.automated ?? automatedCategories(ctx, concerned)),
  ]);
  const input = withStorablePrices(request.input, stored, storable);
  const write = mergeProduct(withStoredCategories(input, stored, automated), stored, unnamed, path);
  refuseMissingSellPrices(request.input, input, path);
  refuseRepeatedOptions(write, [...path, 'variants'], 'variantValueIds');
  const { id, name } = write.row;
  const metaData = await preparePageMetadata(ctx, 'PRODUCT', [
    { targetId: id, name, metaData: input.metaData, isNew: !stored, path: [...path, 'metaData'] },
  ]);
  const references = await productReferenceChecks(ctx, [{ input: request.input, path, stored }], automated);
  const assumption = isNoneAssumed ? automatedCategoriesCheck(ctx, concerned) : [];
  const pathOf = (variantId: string) => [
    ...path,
    'variants',
    write.sentVariants.findIndex((sent) => sent?.row.id === variantId),
  ];
  // Nothing holds a product that is being created.
  const added = stored ? addedToBundles(id, write.variants, pathOf) : [];
  const checks = [...assumption, ...references, ...bundleLock(ctx, added)];
  const writes = [...(await writeProductRows(ctx, [write], metaData)), ...bundleCheck(ctx, added)];
  const read = readRecordStep(ctx, shownProduct(ctx), id, selection);
  const saved = await pipeline(ctx, [...checks, ...writes, read]);
  return (await metaData.assignSlugs()) ? await pipeline(ctx, [read]) : saved;
}

/**
 * The stored product, locked until the end of the transaction, with the variants of the input that are stored. An unknown
 * id is NOT_FOUND.
 */
export async function readProductForUpdate(
  ctx: Context,
  id: string,
  variants: readonly { id?: string | null | undefined }[],
  path: InputPath,
): Promise<StoredProduct> {
  const named = { ids: variants.map((variant) => variant.id), mayNameOtherwise: false };
  const stored = (await readProductsForUpdate(ctx, [id], named, path)).get(id);
  if (!stored) throw notFound('Product', [id], path);
  return stored;
}

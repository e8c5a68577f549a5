import { bulkOperation } from '../../drizzle/bulk-operation.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { newId } from '../db/sql/id.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { insert } from '../db/write/write.ts';
import { argumentInvalid, CommerceError, type Issue, MAX_FOUND_ISSUES } from '../errors.ts';
import { mapInSlices } from '../limits/event-loop-slices.ts';
import { parseListInput } from '../list-input.ts';
import type { MutationBulkUpdateProductsArgs } from '../graphql/generated/types.ts';
import { preparePageMetadata } from '../page-metadata/save-page-metadata.ts';
import { analyzeProductsAfterGrowth } from './bulk/analyze-products.ts';
import { type BulkEntry, bulkEntry, pageMetadataOf } from './bulk/bulk-entry.ts';
import { saveBulkImages } from './bulk/save-bulk-images.ts';
import { type BulkProductInput, bulkProductsInput, withoutIgnored } from './bulk/bulk-products-input.ts';
import {
  insertNewProducts,
  refuseDeletedNames,
  refuseRenamed,
  retryIfChangedByOthers,
} from './bulk/changed-by-others.ts';
import { stockLocationCheck, stockWrites } from './bulk/bulk-stock.ts';
import { bulkProductIds, releasedSourceIds, refuseChangedProducts, refuseUnknownProducts } from './bulk/product-ids.ts';
import type { ProductInCategories } from './bulk/resolve-categories.ts';
import { type ResolvedNames, resolveNames } from './bulk/resolve-names.ts';
import type { Resolution } from './bulk/resolve-product.ts';
import { automatedCategories } from './checks/automated-categories.ts';
import { addedToBundles, bundleCheck, bundleLock } from './checks/bundle-check.ts';
import { productReferenceChecks } from './checks/product-references.ts';
import { storablePrices } from './merge/storable-prices.ts';
import { lockReadProducts, type ReadProduct } from './stored/read-products.ts';
import { readProductsForUpdate, type StoredProduct } from './stored/stored-products.ts';
import { writeProductRows } from './stored/write-product-rows.ts';

const NONE: ReadonlyMap<string, ReadProduct> = new Map();

type RecordedOperation = { id: string; created: number };

/**
 * Returns the id of the recorded bulk operation. The number of statements does not grow with the number of products.
 * Imports pass the products that they have read and compared, by id.
 */
export async function bulkUpdateProducts(
  ctx: Context,
  args: MutationBulkUpdateProductsArgs,
  read = NONE,
): Promise<string> {
  const products = await parseListInput(ctx, bulkProductsInput, args.input.map(withoutIgnored));
  const operation = await retryIfChangedByOthers(
    async () => await inTransaction(ctx, async (ctx) => await saveProducts(ctx, products, read)),
  );
  // ANALYZE locks tables of all merchants until its transaction ends, so it has one of its own.
  if (ctx.changeTransactionId === undefined) await analyzeProductsAfterGrowth(ctx, operation.created);
  else ctx.afterCommit?.push(async (ctx) => await analyzeProductsAfterGrowth(ctx, operation.created));
  return operation.id;
}

async function saveProducts(
  ctx: Context,
  products: BulkProductInput[],
  read: ReadonlyMap<string, ReadProduct>,
): Promise<RecordedOperation> {
  const ids = await bulkProductIds(ctx, products);
  const stored = await storedProducts(ctx, products, ids, read);
  refuseRenamed(products, ids, stored);
  refuseUnknownProducts(ids, stored);
  refuseChangedProducts(ids, stored, read);
  const kept = products.flatMap((product, index) => {
    const storedIds = stored.get(ids[index] ?? '')?.row.categoryIds ?? [];
    return product.deleted ? [] : [{ product, path: ['input', index], storedIds }];
  });
  const resolution = await resolve(ctx, kept);
  const entries = await bulkEntries(ctx, products, (product, index) =>
    bulkEntry(product, ['input', index], stored.get(ids[index] ?? ''), resolution),
  );
  await refuseDeletedNames(async () => await writeEntries(ctx, entries, resolution.automated));
  return await recordOperation(ctx, products.length, entries, resolution.names);
}

/** The stored products, locked. Those with a new variant are read again: it may be one of the deleted ones. */
async function storedProducts(
  ctx: Context,
  products: readonly BulkProductInput[],
  ids: readonly (string | undefined)[],
  read: ReadonlyMap<string, ReadProduct>,
): Promise<Map<string, StoredProduct>> {
  const named = ids.flatMap((id, index) => (id === undefined ? [] : [{ id, product: products[index]! }]));
  const known = named.flatMap(({ id, product: { variants } }) =>
    read.has(id) && variants.every((variant) => variant.id !== undefined) ? [[id, read.get(id)!] as const] : [],
  );
  const allIds = named.map(({ id }) => id);
  const unchanged = await lockReadProducts(ctx, allIds, new Map(known));
  const others = named.filter(({ id }) => !unchanged.has(id));
  const variantIds = others.flatMap(({ product }) => product.variants.map(({ id }) => id));
  const otherIds = others.map(({ id }) => id);
  const stored = await readProductsForUpdate(ctx, otherIds, { ids: variantIds, mayNameOtherwise: true }, ['input']);
  return new Map([...unchanged, ...stored]);
}

async function resolve(ctx: Context, entries: ProductInCategories[]): Promise<Resolution> {
  const names = await resolveNames(ctx, entries);
  const categoryIds = entries.flatMap(({ product, storedIds }) => {
    const ids = names.categoryIds.get(product);
    return ids ? [...ids, ...storedIds] : [];
  });
  const [prices, automated] = await Promise.all([
    storablePrices(ctx, pricesOf(entries.map(({ product }) => product))),
    automatedCategories(ctx, categoryIds),
  ]);
  return { merchantId: ctx.merchantId, names, storablePrices: prices, automated };
}

/** Throws the mistakes of all products together: an import would try again for each product that is refused. */
async function bulkEntries(
  ctx: Context,
  products: BulkProductInput[],
  entryOf: (product: BulkProductInput, index: number) => BulkEntry[],
): Promise<BulkEntry[]> {
  const issues: Issue[] = [];
  const listed = await mapInSlices(ctx, products, (product, index) => {
    if (issues.length >= MAX_FOUND_ISSUES) return [];
    try {
      return entryOf(product, index);
    } catch (error) {
      if (!(error instanceof CommerceError) || error.code !== 'ARGUMENT_VALIDATION_ERROR') throw error;
      issues.push(...(error.extensions['issues'] as Issue[]));
      return [];
    }
  });
  if (issues.length > 0) throw argumentInvalid(issues);
  return listed.flat();
}

function pricesOf(products: BulkProductInput[]) {
  const prices = products.flatMap(({ variants }) => variants.flatMap((variant) => variant.prices));
  return prices.map(({ currencyCode, priceListId }) => ({ currency: currencyCode, priceListId }));
}

async function writeEntries(ctx: Context, entries: BulkEntry[], automated: ReadonlySet<string>): Promise<void> {
  const metaData = await preparePageMetadata(ctx, 'PRODUCT', entries.map(pageMetadataOf));
  const writes = entries.map(({ write }) => write);
  const bundles = await mapInSlices(ctx, entries, ({ write, variants }) =>
    addedToBundles(write.row.id, write.variants, (id) => variants.find(({ write }) => write.row.id === id)!.path),
  );
  const added = bundles.flat();
  await pipeline(ctx, [
    ...(await productReferenceChecks(ctx, entries, automated)),
    ...(await stockLocationCheck(ctx, entries)),
    ...bundleLock(ctx, added),
    ...releasedSourceIds(ctx, writes),
    ...(await writeProductRows(ctx, writes, metaData, insertNewProducts)),
    ...(await stockWrites(ctx, entries)),
    ...bundleCheck(ctx, added),
  ]);
  await metaData.assignSlugs();
}

async function recordOperation(
  ctx: Context,
  total: number,
  entries: BulkEntry[],
  names: ResolvedNames,
): Promise<RecordedOperation> {
  const count = (isCounted: (entry: BulkEntry) => boolean) => entries.filter(isCounted).length;
  const row = {
    id: newId(),
    total,
    created: count(({ stored }) => !stored),
    updated: count(({ stored, product }) => stored !== undefined && !product.deleted),
    deleted: count(({ product }) => product.deleted === true),
    authorizedAppId: ctx.session.authorizedAppId || null,
    changeSetId: ctx.origin?.changeSetId ?? null,
    changeTransactionId: ctx.changeTransactionId ?? null,
  };
  await pipeline(ctx, insert(ctx, bulkOperation, [row]));
  await saveBulkImages(ctx, row.id, entries, names);
  return row;
}

import type { Context } from '../../context.ts';
import { analyzeProducts } from '../bulk/analyze-products.ts';
import type { PortableProduct } from '../portable/portable-product.ts';
import { productsInBundles } from './bundled-products.ts';
import { Bundles, changedBundles } from './bundles.ts';
import { type Changes, changes } from './changes.ts';
import type { ProductDifference } from './differences.ts';
import { type FileEntry, type FileProduct, MAX_PRODUCT_BYTES, ProductError, type Skipped } from './import-input.ts';
import { matchingProducts } from './matching-products.ts';
import { type ImportEntry, sendEntries } from './send-entries.ts';
import { createMissingRecords, readStoreIds, type StoreIds } from './store-ids.ts';
import { tryBatch } from './try-batch.ts';

/** The limits of one bulk request. */
const MAX_BATCH_PRODUCTS = 1_000;
const MAX_BATCH_BYTES = MAX_PRODUCT_BYTES;
/** Lines are limited too, because a product may have very many. */
const MAX_BATCH_LINES = 10_000;
/** New products before the first ANALYZE. It is repeated each time the number has doubled. */
const ANALYZE_FIRST_AFTER = 1_000;

export type Imported = {
  created: number;
  updated: number;
  unchanged: number;
  /** Products that were left as they are, because the shop has a newer state. */
  kept: Skipped[];
  skipped: Skipped[];
  /** Pictures that the service still fetches in the background. */
  imagesPending: number;
  /** Titles of ignored columns, including those of unknown price lists. */
  ignoredColumns: string[];
  /** Price lists and sales channels that products name and the merchant does not have. */
  unknownNames: string[];
};

/**
 * Which state of a product stays if the shop has changed or deleted it since it was exported: the shop's (`newer`) or the
 * file's (`sheet`). Without it such products are skipped.
 */
export type Keep = 'newer' | 'sheet';

export type ImportOptions = {
  /** Requests failed pictures again. */
  retryImages: boolean;
  /**
   * Called with what each batch would change, of which nothing is written then. Each batch is tried by itself: what two
   * batches would do to each other, such as the same sku twice, is not seen.
   */
  onDifferences?: (differences: ProductDifference[]) => void;
  keep?: Keep | undefined;
  onBatch: (imported: Imported) => void;
};

type ImportRun = ImportOptions & { storeIds: StoreIds; imported: Imported; unknown: Set<string>; bundles: Bundles };

/**
 * Imports products in batches; each batch is one transaction. Sends only changes, so that a second run, or a run after a
 * crash, changes nothing that is imported already.
 */
export async function importProducts(
  ctx: Context,
  entries: AsyncIterable<FileEntry>,
  options: ImportOptions,
  ignoredColumns: (storeIds: StoreIds) => string[] = () => [],
): Promise<Imported> {
  const storeIds = await readStoreIds(ctx);
  const imported = noneImported(ignoredColumns(storeIds));
  const run = { ...options, storeIds, imported, unknown: new Set<string>(), bundles: new Bundles() };
  let analyzeAt = ANALYZE_FIRST_AFTER;
  for await (const batch of batches(entries, imported.skipped)) {
    if (options.onDifferences) options.onDifferences(await tryImport(ctx, batch, run));
    else await importBatch(ctx, batch, run);
    options.onBatch(imported);
    if (options.onDifferences || imported.created < analyzeAt) continue;
    await analyzeProducts(ctx);
    analyzeAt = imported.created * 2;
  }
  await run.bundles.write(ctx, imported);
  imported.skipped.sort((a, b) => a.line - b.line);
  return { ...imported, unknownNames: [...run.unknown] };
}

function noneImported(ignoredColumns: string[]): Imported {
  return {
    created: 0,
    updated: 0,
    unchanged: 0,
    kept: [],
    skipped: [],
    imagesPending: 0,
    ignoredColumns,
    unknownNames: [],
  };
}

/** The products of the file in batches, of which the last one may be empty. Collects what is skipped. */
async function* batches(entries: AsyncIterable<FileEntry>, skipped: Skipped[]): AsyncGenerator<FileProduct[]> {
  let batch: FileProduct[] = [];
  let lines = 0;
  let bytes = 0;
  for await (const entry of entries) {
    if (entry.skipped) {
      skipped.push(entry.skipped);
      continue;
    }
    const { product } = entry;
    if (batch.length === MAX_BATCH_PRODUCTS || lines >= MAX_BATCH_LINES || bytes + product.bytes > MAX_BATCH_BYTES) {
      yield batch;
      [batch, lines, bytes] = [[], 0, 0];
    }
    batch.push(product);
    lines += product.lineCount;
    bytes += product.bytes;
  }
  yield batch;
}

async function importBatch(ctx: Context, products: FileProduct[], run: ImportRun): Promise<void> {
  const readable = products.filter((product) => isReadable(product, run.imported));
  run.storeIds = await createMissingRecords(
    ctx,
    run.storeIds,
    readable.map((product) => product.wanted()),
  );
  const stored = await matchingProducts(ctx, readable);
  const bundled = await productsInBundles(
    ctx,
    stored.filter((product) => product !== undefined),
  );
  const batch = { ...run, storeIds: { ...run.storeIds, bundled } };
  const entries = readable.flatMap((product, index) => entryOf(product, stored[index], batch));
  const distinct = withoutRepeated(entries, run);
  const sent = await sendEntries(ctx, distinct, run.imported);
  for (const { product, bundles } of sent) run.bundles.add(product, bundles, run.imported);
}

/** Imports a batch and rolls it back. The batch is counted as if it were imported. */
async function tryImport(ctx: Context, products: FileProduct[], run: ImportRun): Promise<ProductDifference[]> {
  const { differences, result } = await tryBatch(ctx, products, async (ctx) => {
    const tried = { ...run, imported: noneImported([]), unknown: new Set<string>(), bundles: new Bundles() };
    await importBatch(ctx, products, tried);
    await tried.bundles.write(ctx, tried.imported);
    return { storeIds: tried.storeIds, result: tried };
  });
  add(run, result);
  return differences;
}

function add({ imported, unknown }: ImportRun, tried: Pick<ImportRun, 'imported' | 'unknown'>): void {
  for (const count of ['created', 'updated', 'unchanged', 'imagesPending'] as const)
    imported[count] += tried.imported[count];
  imported.skipped.push(...tried.imported.skipped);
  imported.kept.push(...tried.imported.kept);
  for (const name of tried.unknown) unknown.add(name);
}

function isReadable(product: FileProduct, { skipped }: Imported): boolean {
  try {
    product.wanted();
    return true;
  } catch (error) {
    skipped.push(skippedFor(product, error));
    return false;
  }
}

function skippedFor({ handle }: FileProduct, error: unknown): Skipped {
  if (!(error instanceof ProductError)) throw error;
  return { line: error.line, handle, reason: error.message };
}

function entryOf(product: FileProduct, stored: PortableProduct | undefined, run: ImportRun): ImportEntry[] {
  const { storeIds, retryImages, imported, unknown } = run;
  try {
    const input = product.input(stored, storeIds, (name) => void unknown.add(name));
    const bundles = changedBundles(product, stored, storeIds);
    if (!stored) return [{ product, input, bundles }];
    const changed = changes(input, stored, storeIds.merchantId, retryImages);
    if (changed.members.length > 0 || bundles.length > 0)
      return decided({ product, bundles, input: changed.input }, newerState(product, stored, changed), run);
    imported.unchanged += 1;
  } catch (error) {
    imported.skipped.push(skippedFor(product, error));
  }
  return [];
}

/** Leaves out a product that the shop has changed or deleted since it was exported, unless the file is to win. */
function decided(entry: ImportEntry, reason: string | null, { keep, imported }: ImportRun): ImportEntry[] {
  const { product } = entry;
  if (reason === null || keep === 'sheet') return [entry];
  const { line, handle } = product;
  if (keep === 'newer') imported.kept.push({ line, handle, reason });
  else imported.skipped.push({ line, handle, reason: `${reason}: --keep sheet overwrites it, --keep newer leaves it` });
  return [];
}

/** What the shop has done to the product since the export, if the import would undo it. */
function newerState(product: FileProduct, stored: PortableProduct, { hasStock }: Changes): string | null {
  if (stored.deleted) return 'has been deleted in the shop';
  const exportedVersionAt = product.exportedVersionAt();
  if (exportedVersionAt === null) return null;
  const { updatedAt, stockUpdatedAt } = stored;
  if (updatedAt > exportedVersionAt)
    return `has been changed in the shop at ${new Date(updatedAt).toISOString()}, after the export`;
  if (!hasStock || stockUpdatedAt === null || stockUpdatedAt <= exportedVersionAt) return null;
  return `has another stock in the shop since ${new Date(stockUpdatedAt).toISOString()}, after the export`;
}

/** Two handles may match one product: one by its source id, one by its slug. */
function withoutRepeated(entries: ImportEntry[], { imported }: ImportRun): ImportEntry[] {
  const seen = new Set<string>();
  return entries.filter(({ product: { line, handle }, input }) => {
    const key = input.id ?? `source ${input.sourceId}`;
    const isFirst = !seen.has(key);
    const reason = 'is a product that the sheet has above under another handle';
    if (!isFirst) imported.skipped.push({ line, handle, reason });
    seen.add(key);
    return isFirst;
  });
}

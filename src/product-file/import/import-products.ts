import type { Context } from '../../context.ts';
import { analyzeProducts } from '../../product/bulk/analyze-products.ts';
import type { PortableProduct } from '../stored/portable-product.ts';
import { batches } from './batches.ts';
import { productsInBundles } from '../line/bundled-products.ts';
import { Bundles, changedBundles } from './bundles.ts';
import { changedMembers, type Changes } from './changed-members.ts';
import type { ProductDifference } from './differences.ts';
import {
  type FileEntry,
  type FileProduct,
  type ImportNotes,
  type KnownProduct,
  type Skipped,
  skippedProduct,
} from './file-product.ts';
import { importInput, withKnownNames } from './import-input.ts';
import { lineOf } from '../line/product-line.ts';
import { matchingProducts } from './matching-products.ts';
import { type ImportEntry, sendEntries } from './send-entries.ts';
import { RepeatedProducts } from './repeated-products.ts';
import { readStoreIds, type StoreIds } from '../line/store-ids.ts';
import { createWantedRecords } from './wanted-records.ts';
import { type Decision, tryBatch } from './try-batch.ts';

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
  /** The stock location with the counts of sheets that do not name one. Left out if the file has none. */
  inventoryLocation?: string;
  /** Counts without a stock location that differ from the others of their row, which are used. Left out if there are none. */
  unusedCounts?: Skipped[];
};

/**
 * Which state of a product stays if the shop has changed or deleted it since it was exported: the shop's (`newer`) or
 * the file's (`sheet`). Without it such products are skipped.
 */
export type Keep = 'newer' | 'sheet';

export type ImportOptions = {
  /** Requests failed pictures again. */
  retryImages: boolean;
  /**
   * Called with what each batch would change, of which nothing is written then. Products that the shop has changed since
   * the export are among them, with their outcome. Each batch is tried by itself: what two batches would do to each
   * other, such as the same sku twice, is not seen.
   */
  onDifferences?: (differences: ProductDifference[]) => void;
  keep?: Keep | undefined;
  onBatch: (imported: Imported) => void;
};

type ImportRun = ImportOptions & {
  storeIds: StoreIds;
  imported: Imported;
  unknown: Set<string>;
  bundles: Bundles;
  repeated: RepeatedProducts;
  /** Called with a product that is not written because the shop has a newer state. */
  onNewer: (product: FileProduct, decision: Decision) => void;
};

/**
 * Imports products in batches; each batch is one transaction. Sends only changes, so that a second run, or a run after
 * a crash, changes nothing that is imported already.
 */
export async function importProducts(
  ctx: Context,
  entries: AsyncIterable<FileEntry>,
  options: ImportOptions,
  ignoredColumns: (storeIds: StoreIds) => string[] = () => [],
): Promise<Imported> {
  const storeIds = await readStoreIds(ctx);
  const imported = noneImported(ignoredColumns(storeIds));
  const run = { ...options, ...emptyRun(), storeIds, imported, repeated: new RepeatedProducts(), onNewer: () => {} };
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

/** Returns the products that are written. */
async function importBatch(ctx: Context, products: readonly FileProduct[], run: ImportRun): Promise<FileProduct[]> {
  const { storeIds, products: readable } = await createWantedRecords(ctx, run.storeIds, products, run.imported);
  run.storeIds = storeIds;
  const stored = await matchingProducts(ctx, readable);
  const bundled = await productsInBundles(
    ctx,
    stored.filter((product) => product !== undefined),
  );
  const batch = { ...run, storeIds: { ...run.storeIds, bundled } };
  const entries = readable.flatMap((product, index) =>
    run.repeated.isFirst(product, stored[index], run.imported) ? entryOf(product, stored[index], batch) : [],
  );
  const sent = await sendEntries(ctx, entries, run.imported);
  for (const { product, bundles } of sent) run.bundles.add(product, bundles, run.imported);
  return sent.map(({ product }) => product);
}

/**
 * Imports a batch and rolls it back. The batch is counted as if it were imported. Products that the shop has changed
 * since the export are then imported too, uncounted, so that their differences can be shown.
 */
async function tryImport(ctx: Context, products: FileProduct[], run: ImportRun): Promise<ProductDifference[]> {
  const { differences, result } = await tryBatch(ctx, products, async (ctx) => {
    const newer = new Map<FileProduct, Decision>();
    const tried = {
      ...run,
      ...emptyRun(),
      onNewer: (product: FileProduct, by: Decision) => void newer.set(product, by),
    };
    const written = await importWithBundles(ctx, products, tried);
    const decisions = new Map(newer);
    for (const product of written) decisions.set(product, { outcome: 'WRITTEN', reason: null });
    const overwritten = { ...tried, ...emptyRun(), keep: 'sheet' as const };
    await importWithBundles(ctx, [...newer.keys()], overwritten);
    addRefusals(tried.imported, overwritten.imported.skipped);
    return { storeIds: tried.storeIds, decisions, result: tried };
  });
  add(run, result);
  return differences;
}

/** Says of products that the shop has changed that `--keep sheet` would not overwrite them either. */
function addRefusals({ kept, skipped }: Imported, refused: readonly Skipped[]): void {
  const reasons = new Map(refused.map(({ line, reason }) => [line, reason]));
  for (const entry of [...kept, ...skipped]) {
    const reason = reasons.get(entry.line);
    if (reason !== undefined) entry.reason += `; --keep sheet would be refused: ${reason}`;
  }
}

function emptyRun(): Pick<ImportRun, 'imported' | 'unknown' | 'bundles'> {
  return { imported: noneImported([]), unknown: new Set(), bundles: new Bundles() };
}

async function importWithBundles(
  ctx: Context,
  products: readonly FileProduct[],
  run: ImportRun,
): Promise<FileProduct[]> {
  const written = await importBatch(ctx, products, run);
  await run.bundles.write(ctx, run.imported);
  return written;
}

function add({ imported, unknown }: ImportRun, tried: Pick<ImportRun, 'imported' | 'unknown'>): void {
  for (const count of ['created', 'updated', 'unchanged', 'imagesPending'] as const)
    imported[count] += tried.imported[count];
  imported.skipped.push(...tried.imported.skipped);
  imported.kept.push(...tried.imported.kept);
  const { inventoryLocation, unusedCounts = [] } = tried.imported;
  if (inventoryLocation !== undefined) imported.inventoryLocation = inventoryLocation;
  if (unusedCounts.length > 0) (imported.unusedCounts ??= []).push(...unusedCounts);
  for (const name of tried.unknown) unknown.add(name);
}

function entryOf(product: FileProduct, stored: PortableProduct | undefined, run: ImportRun): ImportEntry[] {
  const { storeIds, retryImages, imported } = run;
  try {
    const known = stored && knownProduct(stored, storeIds);
    const notes = notesOf(product, run);
    const read = withKnownNames(product.read(known, storeIds, notes), storeIds, notes);
    const changes = changedMembers(read, known, storeIds.merchantId, retryImages);
    if (changes.isChanged) {
      const input = importInput(read, changes, known, storeIds);
      const entry = { product, input, bundles: changedBundles(read, changes) };
      if (!stored) return [entry];
      return decided({ ...entry, ...readVersion(product, stored, run) }, newerState(product, stored, changes), run);
    }
    imported.unchanged += 1;
  } catch (error) {
    imported.skipped.push(skippedProduct(product, error));
  }
  return [];
}

function knownProduct(product: PortableProduct, storeIds: StoreIds): KnownProduct {
  const line = lineOf(product, storeIds);
  return { product, line, variants: product.variants.map((own, index) => ({ ...own, line: line.variants[index]! })) };
}

function notesOf({ handle }: FileProduct, { unknown, imported }: ImportRun): ImportNotes {
  return {
    unknown: (name) => void unknown.add(name),
    inventoryLocation: (name) => void (imported.inventoryLocation = name),
    unusedCount: (line, reason) => void (imported.unusedCounts ??= []).push({ line, handle, reason }),
  };
}

/** Leaves out a product that the shop has changed or deleted since it was exported, unless the file is to win. */
function decided(entry: ImportEntry, reason: string | null, { keep, imported, onNewer }: ImportRun): ImportEntry[] {
  const { product } = entry;
  if (reason === null || keep === 'sheet') return [entry];
  const { line, handle } = product;
  if (keep === 'newer') imported.kept.push({ line, handle, reason });
  else imported.skipped.push({ line, handle, reason: `${reason}: --keep sheet overwrites it, --keep newer leaves it` });
  onNewer(product, { outcome: keep === 'newer' ? 'KEPT' : 'SKIPPED', reason });
  return [];
}

/** What the shop changes between the comparison and the write is not overwritten if the file has times. */
function readVersion(
  product: FileProduct,
  { version }: PortableProduct,
  { keep }: ImportRun,
): Pick<ImportEntry, 'readVersion'> {
  return keep === 'sheet' || product.exportedAt().product === null ? {} : { readVersion: version };
}

/** What the shop has done to the product since the export, if the import would undo it. */
function newerState(product: FileProduct, stored: PortableProduct, { hasStock }: Changes): string | null {
  if (stored.deleted) return 'has been deleted in the shop';
  const exportedAt = product.exportedAt();
  if (exportedAt.product === null) return null;
  const { updatedAt, stockUpdatedAt } = stored;
  if (updatedAt > exportedAt.product)
    return `has been changed in the shop at ${new Date(updatedAt).toISOString()}, after the export`;
  if (!hasStock || stockUpdatedAt === null || stockUpdatedAt <= (exportedAt.stock ?? exportedAt.product)) return null;
  return `has another stock in the shop since ${new Date(stockUpdatedAt).toISOString()}, after the export`;
}

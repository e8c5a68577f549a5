import type { Context } from '../../context.ts';
import { isConnectionLost } from '../../db/errors/connection-lost.ts';
import { sqlState } from '../../db/errors/sql-state.ts';
import type { Selection } from '../../db/read/projection.ts';
import { CommerceError, type Issue } from '../../errors.ts';
import { analyzeProducts } from '../bulk/analyze-products.ts';
import { bulkUpdateProducts } from '../bulkUpdateProducts.ts';
import { getBulkOperation } from '../getBulkOperation.ts';
import type { PortableProduct } from '../portable/portable-product.ts';
import { type BulkInput, bulkInput } from './bulk-input.ts';
import { changes } from './changes.ts';
import type { Layout } from './columns.ts';
import { type CsvEntry, type CsvProduct, readCsv, type Skipped } from './read-csv.ts';
import { ProductError } from './row-reader.ts';
import { createMissingLocations, readStoreIds, type StoreIds } from './store-ids.ts';
import { matchingProducts } from './matching-products.ts';
import type { ProductDifference } from './differences.ts';
import { tryBatch } from './try-batch.ts';

/** The limit of one bulk request. Rows are limited too, because a product may have very many. */
const MAX_BATCH_PRODUCTS = 1_000;
const MAX_BATCH_ROWS = 10_000;
/** New products before the first ANALYZE. It is repeated each time the number has doubled. */
const ANALYZE_FIRST_AFTER = 1_000;
/** SQLSTATE classes of refused values: data exceptions and constraint violations. */
const REFUSED_VALUE = /^2[23]/;

const COUNTS: Selection = { created: {}, updated: {}, imagesPending: {} };

export type Imported = {
  created: number;
  updated: number;
  unchanged: number;
  skipped: Skipped[];
  /** Pictures that the service still fetches in the background. */
  imagesPending: number;
  /** Titles of ignored columns, including those of unknown price lists. */
  ignoredColumns: string[];
};

export type ImportOptions = {
  /** The encoding of the file, unless it is to be recognized. */
  encoding?: string;
  /** Requests failed pictures again. */
  retryImages: boolean;
  onBatch: (imported: Imported) => void;
  /**
   * Called with what each batch would change, of which nothing is written then. Each batch is tried by itself: what two
   * batches would do to each other, such as the same sku twice, is not seen.
   */
  onDifferences?: (differences: ProductDifference[]) => void;
};

/**
 * Imports a product file in batches; each batch is one transaction. Sends only changes, so that a second run, or a run
 * after a crash, changes nothing that is imported already.
 */
export async function importCsv(
  ctx: Context,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<Imported> {
  const { layout, entries } = await readCsv(chunks, options.encoding);
  let storeIds = await readStoreIds(ctx);
  const imported: Imported = {
    created: 0,
    updated: 0,
    unchanged: 0,
    skipped: [],
    imagesPending: 0,
    ignoredColumns: ignoredColumns(layout, storeIds),
  };
  let analyzeAt = ANALYZE_FIRST_AFTER;
  for await (const batch of batches(entries, imported.skipped)) {
    const run = { ...options, layout, storeIds, imported };
    if (options.onDifferences) options.onDifferences(await tryImport(ctx, batch, run));
    else storeIds = await importBatch(ctx, batch, run);
    options.onBatch(imported);
    if (options.onDifferences || imported.created < analyzeAt) continue;
    await analyzeProducts(ctx);
    analyzeAt = imported.created * 2;
  }
  imported.skipped.sort((a, b) => a.line - b.line);
  return imported;
}

/** The products of the file in batches, of which the last one may be empty. Collects what is skipped. */
async function* batches(entries: AsyncIterable<CsvEntry>, skipped: Skipped[]): AsyncGenerator<CsvProduct[]> {
  let batch: CsvProduct[] = [];
  let rowCount = 0;
  for await (const entry of entries) {
    if (entry.skipped) skipped.push(entry.skipped);
    else {
      batch.push(entry.product);
      rowCount += entry.product.rows.length;
    }
    if (batch.length < MAX_BATCH_PRODUCTS && rowCount < MAX_BATCH_ROWS) continue;
    yield batch;
    batch = [];
    rowCount = 0;
  }
  yield batch;
}

function ignoredColumns({ listPrices, titles, unread }: Layout, { priceLists }: StoreIds): string[] {
  const ofOtherLists = [...listPrices].flatMap(([label, places]) =>
    priceLists.has(label) ? [] : [...places.values()].map((place) => titles[place]!),
  );
  return [...unread, ...ofOtherLists];
}

type ImportRun = ImportOptions & { layout: Layout; storeIds: StoreIds; imported: Imported };
type Entry = { csvProduct: CsvProduct; input: BulkInput };

/** Returns the ids, of which there may be more now. */
async function importBatch(ctx: Context, csvProducts: CsvProduct[], given: ImportRun): Promise<StoreIds> {
  const storeIds = await createMissingLocations(ctx, given.storeIds, given.layout, csvProducts);
  const run = { ...given, storeIds };
  const stored = await matchingProducts(ctx, csvProducts, run.layout);
  const entries = csvProducts.flatMap((csvProduct, index) => entryOf(csvProduct, stored[index], run));
  await send(ctx, withoutRepeated(entries, run), run);
  return storeIds;
}

/** Counts a batch like an import, and writes nothing. */
async function tryImport(ctx: Context, csvProducts: CsvProduct[], run: ImportRun): Promise<ProductDifference[]> {
  const { differences, result } = await tryBatch(ctx, csvProducts, run.layout, async (ctx) => {
    const imported = { ...run.imported, skipped: [...run.imported.skipped] };
    return { storeIds: await importBatch(ctx, csvProducts, { ...run, imported }), result: imported };
  });
  const skipped = result.skipped.slice(run.imported.skipped.length);
  Object.assign(run.imported, { ...result, skipped: run.imported.skipped });
  run.imported.skipped.push(...skipped);
  return differences;
}

function entryOf(
  csvProduct: CsvProduct,
  stored: PortableProduct | undefined,
  { layout, storeIds, retryImages, imported }: ImportRun,
): Entry[] {
  try {
    const input = bulkInput(csvProduct, layout, storeIds, stored);
    const changed = stored ? changes(input, stored, retryImages) : input;
    if (changed) return [{ csvProduct, input: changed }];
    imported.unchanged += 1;
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    imported.skipped.push({ line: error.line, handle: csvProduct.handle, reason: error.message });
  }
  return [];
}

/** Two handles may match one product: one by its source id, one by its slug. */
function withoutRepeated(entries: Entry[], { imported }: ImportRun): Entry[] {
  const seen = new Set<string>();
  return entries.filter(({ csvProduct, input }) => {
    const key = input.id ?? `source ${input.sourceId}`;
    if (seen.has(key))
      imported.skipped.push(skippedFor(csvProduct, 'is a product that the sheet has above under another handle'));
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

/** Sends the entries in one request. If some are refused, sends the others again without them. */
async function send(ctx: Context, entries: Entry[], run: ImportRun): Promise<void> {
  if (entries.length === 0) return;
  const { imported } = run;
  try {
    const id = await bulkUpdateProducts(ctx, { input: entries.map(({ input }) => input) });
    const operation = await getBulkOperation(ctx, { id }, COUNTS);
    imported.created += operation!.created;
    imported.updated += operation!.updated;
    imported.imagesPending += operation!.imagesPending;
  } catch (error) {
    const refused = refusedEntries(error);
    for (const [index, reason] of refused) imported.skipped.push(skippedFor(entries[index]!.csvProduct, reason));
    if (refused.size > 0)
      return await send(
        ctx,
        entries.filter((_, index) => !refused.has(index)),
        run,
      );
    if (!isAboutEntries(error)) throw error;
    if (entries.length === 1) {
      imported.skipped.push(skippedFor(entries[0]!.csvProduct, reasonOf(error)));
      return;
    }
    const half = Math.ceil(entries.length / 2);
    await send(ctx, entries.slice(0, half), run);
    await send(ctx, entries.slice(half), run);
  }
}

function skippedFor({ rows, handle }: CsvProduct, reason: string): Skipped {
  return { line: rows[0]!.line, handle, reason };
}

/** The indexes of the refused entries, with the reasons. */
function refusedEntries(error: unknown): Map<number, string> {
  const refused = new Map<number, string>();
  if (!(error instanceof CommerceError)) return refused;
  const { issues, path } = error.extensions as { issues?: Issue[]; path?: Issue['path'] };
  for (const issue of issues ?? (path ? [{ path, message: error.message }] : [])) {
    const [, index, ...member] = issue.path;
    if (typeof index !== 'number') continue;
    const reason = `${member.join('.')}: ${issue.message}`;
    refused.set(index, refused.has(index) ? `${refused.get(index)}; ${reason}` : reason);
  }
  return refused;
}

function isAboutEntries(error: unknown): boolean {
  if (isConnectionLost(error)) return false;
  return error instanceof CommerceError || REFUSED_VALUE.test(sqlState(error) ?? '');
}

/** The message of Postgres, without the statement around it. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

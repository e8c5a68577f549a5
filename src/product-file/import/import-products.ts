import type { Context } from '../../context.ts';
import { analyzeProductsAfterGrowth } from '../../product/bulk/analyze-products.ts';
import { type NamedRecords, readNamedRecords } from '../line/named-records.ts';
import { tryImport } from './dry-run.ts';
import { type FileEntry, type FileProduct, MAX_PRODUCT_BYTES } from './file-product.ts';
import { importBatch } from './import-batch.ts';
import { type Imported, type ImportOptions, newRun } from './import-run.ts';
import { listSkipped, type Skipped } from './skipped.ts';

/** The limits of one bulk request. */
const MAX_BATCH_PRODUCTS = 1_000;
const MAX_BATCH_BYTES = MAX_PRODUCT_BYTES;
/** Lines are limited too, because a product may have very many. */
const MAX_BATCH_LINES = 10_000;

/**
 * Imports products in batches; each batch is one transaction. Sends only changes, so that a second run, or a run after
 * a crash, changes nothing that is imported already.
 */
export async function importProducts(
  ctx: Context,
  entries: AsyncIterable<FileEntry>,
  options: ImportOptions,
  ignoredColumns: (records: NamedRecords) => string[] = () => [],
): Promise<Imported> {
  const run = newRun(options, await readNamedRecords(ctx));
  const { imported } = run;
  imported.ignoredColumns = ignoredColumns(run.records);
  let analyzeFrom = 0;
  for await (const batch of untilAborted(batches(entries, imported.skipped), options.signal)) {
    if (options.onDifferences) options.onDifferences(await tryImport(ctx, batch, run));
    else await importBatch(ctx, batch, run);
    options.onBatch(imported);
    if (options.onDifferences || imported.created < analyzeFrom) continue;
    // A batch of large products creates too few of them for an ANALYZE of its own.
    await analyzeProductsAfterGrowth(ctx, imported.created);
    analyzeFrom = imported.created * 2;
  }
  if (options.signal?.aborted) imported.interrupted = true;
  // Bundles may have products that were not read. The next run writes them, or says why it cannot.
  const counts = imported.interrupted ? { ...imported, skipped: [] } : imported;
  await run.bundles.write(ctx, run.seen, counts);
  imported.updated = counts.updated;
  imported.skipped.sort((a, b) => a.line - b.line);
  return { ...imported, unknownNames: [...run.unknown] };
}

/** The products of the file in batches, of which the last one may be empty. Collects what is skipped. */
export async function* batches(entries: AsyncIterable<FileEntry>, skipped: Skipped[]): AsyncGenerator<FileProduct[]> {
  let batch: FileProduct[] = [];
  let lines = 0;
  let bytes = 0;
  for await (const entry of entries) {
    if (entry.skipped) {
      listSkipped(skipped, entry.skipped);
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

/**
 * A batch that was read when the signal came is left out: the end of the input may come from the same signal, and the last
 * product may have more rows. Reading may end with an error, because the signal closes the file.
 */
async function* untilAborted<T>(batches: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  try {
    for await (const batch of batches) {
      if (signal?.aborted) return;
      yield batch;
    }
  } catch (error) {
    if (!signal?.aborted || !(error instanceof Error) || error.name !== 'AbortError') throw error;
  }
}

import type { Context } from '../../context.ts';
import { analyzeProducts } from '../../product/bulk/analyze-products.ts';
import { type NamedRecords, readNamedRecords } from '../line/named-records.ts';
import { batches } from './batches.ts';
import type { ProductDifference } from './differences.ts';
import { tryImport } from './dry-run.ts';
import type { FileEntry, Skipped } from './file-product.ts';
import { emptyRun, importBatch } from './import-batch.ts';
import { RepeatedProducts } from './matching-products.ts';

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
  const records = await readNamedRecords(ctx);
  const run = { ...options, ...emptyRun(), records, repeated: new RepeatedProducts(), onNewer: () => {} };
  const { imported } = run;
  imported.ignoredColumns = ignoredColumns(records);
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

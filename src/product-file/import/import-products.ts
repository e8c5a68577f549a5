import type { Context } from '../../context.ts';
import { analyzeProducts } from '../../product/bulk/analyze-products.ts';
import { type NamedRecords, readNamedRecords } from '../line/named-records.ts';
import { batches } from './batches.ts';
import { tryImport } from './dry-run.ts';
import type { FileEntry } from './file-product.ts';
import { importBatch } from './import-batch.ts';
import { emptyRun, type Imported, type ImportOptions } from './import-run.ts';
import { RepeatedProducts } from './matching-products.ts';

/** New products before the first ANALYZE. It is repeated each time the number has doubled. */
const ANALYZE_FIRST_AFTER = 1_000;

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

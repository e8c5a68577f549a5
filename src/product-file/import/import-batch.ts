import type { Context } from '../../context.ts';
import { productsInBundles } from '../line/bundled-products.ts';
import type { PortableProduct } from '../stored/portable-product.ts';
import { changedBundles } from './bundles.ts';
import type { Changes } from './changed-members.ts';
import type { FileProduct } from './file-product.ts';
import { importInput } from './import-input.ts';
import type { Imported, ImportRun } from './import-run.ts';
import { matchingProducts } from './matching-products.ts';
import { readEntry } from './read-entry.ts';
import { type ImportEntry, sendEntries } from './send-entries.ts';
import { skipMistaken } from './skip-mistaken.ts';
import { type Mistake, skippedFor } from './skipped.ts';
import { createWantedRecords } from './wanted-records.ts';

/** Maximum number of warnings that the result lists. All of them are counted. */
export const MAX_LISTED_WARNINGS = 1_000;

/** Returns the products that are written. */
export async function importBatch(
  ctx: Context,
  products: readonly FileProduct[],
  run: ImportRun,
): Promise<FileProduct[]> {
  // No record is created for a product that is refused.
  const sound = products.filter((product) => product.mistakes().length === 0);
  const { records, products: accepted } = await createWantedRecords(ctx, run.records, sound, run.imported);
  run.records = records;
  const stored = await matchingProducts(ctx, accepted);
  const bundled = await productsInBundles(
    ctx,
    stored.filter((product) => product !== undefined),
  );
  const batch = { ...run, records: { ...run.records, bundled } };
  const entries = accepted.flatMap((product, index) =>
    run.repeated.isFirst(product, stored[index], run.imported) ? entryOf(product, stored[index], batch) : [],
  );
  const sent = await sendEntries(ctx, entries, run.imported);
  for (const { product, input, bundles } of sent)
    run.bundles.add({ product, productId: input.id ?? undefined, bundles }, run.imported);
  const mistaken = products.filter((product) => product.mistakes().length > 0);
  await skipMistaken(ctx, mistaken, run);
  return sent.map(({ product }) => product);
}

/** None for a product with mistakes, which are found when it is read. */
function entryOf(product: FileProduct, stored: PortableProduct | undefined, run: ImportRun): ImportEntry[] {
  const { imported } = run;
  const { read, known, changes } = readEntry(product, stored, run);
  if (product.mistakes().length > 0) return [];
  addWarnings(imported, product, run.slips.find(product, read));
  if (!changes.isChanged) {
    imported.unchanged += 1;
    return [];
  }
  const input = importInput(read, changes, known, run.records);
  const entry = { product, input, bundles: changedBundles(read, changes) };
  if (!stored) return [entry];
  // What the shop changes between the comparison and the write is not overwritten if the file has times.
  const isRequired = run.keep !== 'sheet' && product.exportedAt.product !== null;
  return decided({ ...entry, read: { ...stored, isRequired } }, newerState(product, stored, changes), run);
}

function addWarnings(imported: Imported, { handle }: FileProduct, slips: readonly Mistake[]): void {
  for (const slip of slips) {
    imported.warningCount = (imported.warningCount ?? 0) + 1;
    imported.warnings ??= [];
    if (imported.warnings.length < MAX_LISTED_WARNINGS) imported.warnings.push({ ...slip, handle });
  }
}

/** Leaves out a product that the shop has changed or deleted since it was exported, unless the file is to win. */
function decided(entry: ImportEntry, reason: string | null, { keep, imported, onNewer }: ImportRun): ImportEntry[] {
  const { product } = entry;
  if (reason === null || keep === 'sheet') return [entry];
  if (keep === 'newer') imported.kept.push(skippedFor(product, reason));
  else imported.skipped.push(skippedFor(product, `${reason}: --keep sheet overwrites it, --keep newer leaves it`));
  onNewer(product, { outcome: keep === 'newer' ? 'KEPT' : 'SKIPPED', reason });
  return [];
}

/** What the shop has done to the product since the export, if the import would undo it. */
function newerState(product: FileProduct, stored: PortableProduct, { hasStock }: Changes): string | null {
  if (stored.stored.row.deleted) return 'has been deleted in the shop';
  const { exportedAt } = product;
  if (exportedAt.product === null) return null;
  const { updatedAt, stockUpdatedAt } = stored;
  if (updatedAt > exportedAt.product)
    return `has been changed in the shop at ${new Date(updatedAt).toISOString()}, after the export`;
  if (!hasStock || stockUpdatedAt === null || stockUpdatedAt <= (exportedAt.stock ?? exportedAt.product)) return null;
  return `has another stock in the shop since ${new Date(stockUpdatedAt).toISOString()}, after the export`;
}

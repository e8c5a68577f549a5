import type { Context } from '../../context.ts';
import { inDryRun } from '../../db/connection/transaction.ts';
import { productsInBundles } from '../line/bundled-products.ts';
import { memberDifferences, type ProductDifference } from './differences.ts';
import type { FileProduct } from './file-product.ts';
import { importBatch } from './import-batch.ts';
import { type Decision, type Imported, type ImportRun, newRun } from './import-run.ts';
import { matchingProducts } from './matching-products.ts';
import type { Skipped } from './skipped.ts';
import { MAX_LISTED_WARNINGS } from './write-products.ts';

/**
 * Imports a batch, compares its products, and rolls the batch back. The differences include what triggers and the service
 * change in a real import. The batch is counted as if it were imported.
 */
export async function tryImport(ctx: Context, products: FileProduct[], run: ImportRun): Promise<ProductDifference[]> {
  // Each import in it has the usual limit. There are several, so together they may take longer.
  const { differences, tried } = await inDryRun(ctx, async (ctx) => await compare(ctx, products, run), Infinity);
  add(run, tried);
  return differences;
}

/** What the import would change, and its counts. */
async function compare(
  ctx: Context,
  products: FileProduct[],
  run: ImportRun,
): Promise<{ differences: ProductDifference[]; tried: ImportRun }> {
  const before = await matchingProducts(ctx, products);
  const { tried, decisions } = await importAll(ctx, products, run);
  const after = await matchingProducts(ctx, products);
  const compared = [...before, ...after].filter((product) => product !== undefined);
  const records = { ...tried.records, bundled: await productsInBundles(ctx, compared) };
  const differences = products.flatMap((product, index): ProductDifference[] => {
    const [old, current, decision] = [before[index], after[index], decisions.get(product)];
    const members = current && decision ? memberDifferences(old, current, records) : [];
    if (!current || !decision || members.length === 0) return [];
    const { handle } = product;
    return [{ handle, name: current.stored.row.name, change: old ? 'UPDATED' : 'CREATED', ...decision, members }];
  });
  return { differences, tried };
}

type Tried = { tried: ImportRun; decisions: ReadonlyMap<FileProduct, Decision> };

/**
 * Products that the shop has changed since the export are imported too, uncounted, so that their differences can be shown.
 * The counts begin anew, because a transaction is repeated after a deadlock.
 */
async function importAll(ctx: Context, products: FileProduct[], run: ImportRun): Promise<Tried> {
  const decisions = new Map<FileProduct, Decision>();
  const { seen, slips } = run;
  const onNewer = (product: FileProduct, decision: Decision) => void decisions.set(product, decision);
  const tried = { ...newRun(run, run.records), seen, slips, onNewer };
  const written = await importWithBundles(ctx, products, tried);
  const newer = [...decisions.keys()];
  for (const product of written) decisions.set(product, { outcome: 'WRITTEN', reason: null });
  const overwritten = { ...newRun({ ...run, keep: 'sheet' }, tried.records), seen, slips };
  await importWithBundles(ctx, newer, overwritten);
  addRefusals(tried.imported, overwritten.imported.skipped);
  return { tried, decisions };
}

async function importWithBundles(
  ctx: Context,
  products: readonly FileProduct[],
  run: ImportRun,
): Promise<FileProduct[]> {
  const written = await importBatch(ctx, products, run);
  await run.bundles.write(ctx, run.seen, run.imported);
  return written;
}

/** Says of products that the shop has changed that `--keep sheet` would not overwrite them either. */
function addRefusals({ kept, skipped }: Imported, refused: readonly Skipped[]): void {
  const reasons = new Map(refused.map(({ handle, reason }) => [handle, reason]));
  for (const entry of [...kept, ...skipped]) {
    const reason = reasons.get(entry.handle);
    if (reason !== undefined && entry.mistakes === undefined)
      entry.reason += `; --keep sheet would be refused: ${reason}`;
  }
}

function add({ imported, unknown }: ImportRun, tried: Pick<ImportRun, 'imported' | 'unknown'>): void {
  for (const count of ['created', 'updated', 'unchanged', 'imagesPending'] as const)
    imported[count] += tried.imported[count];
  imported.skipped.push(...tried.imported.skipped);
  imported.kept.push(...tried.imported.kept);
  const { inventoryLocation, unusedCounts = [], warnings = [], warningCount = 0, variantsDeleted = 0 } = tried.imported;
  if (variantsDeleted > 0) imported.variantsDeleted = (imported.variantsDeleted ?? 0) + variantsDeleted;
  if (warningCount > 0) {
    imported.warningCount = (imported.warningCount ?? 0) + warningCount;
    imported.warnings = [...(imported.warnings ?? []), ...warnings].slice(0, MAX_LISTED_WARNINGS);
  }
  if (inventoryLocation !== undefined) imported.inventoryLocation = inventoryLocation;
  if (unusedCounts.length > 0) (imported.unusedCounts ??= []).push(...unusedCounts);
  for (const name of tried.unknown) unknown.add(name);
}

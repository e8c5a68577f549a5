import type { Context } from '../../context.ts';
import { inTentativeTransaction } from '../../db/connection/transaction.ts';
import { productsInBundles } from '../line/bundled-products.ts';
import type { NamedRecords } from '../line/named-records.ts';
import { memberDifferences, type ProductDifference } from './differences.ts';
import type { FileProduct } from './file-product.ts';
import { importBatch, MAX_LISTED_WARNINGS } from './import-batch.ts';
import { type Decision, emptyRun, type Imported, type ImportRun } from './import-run.ts';
import { matchingProducts } from './matching-products.ts';
import type { Skipped } from './skipped.ts';

/**
 * Imports a batch and rolls it back. The batch is counted as if it were imported. Products that the shop has changed
 * since the export are then imported too, uncounted, so that their differences can be shown.
 */
export async function tryImport(ctx: Context, products: FileProduct[], run: ImportRun): Promise<ProductDifference[]> {
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
    return { records: tried.records, decisions, result: tried };
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
  const { inventoryLocation, unusedCounts = [], warnings = [], warningCount = 0 } = tried.imported;
  if (warningCount > 0) {
    imported.warningCount = (imported.warningCount ?? 0) + warningCount;
    imported.warnings = [...(imported.warnings ?? []), ...warnings].slice(0, MAX_LISTED_WARNINGS);
  }
  if (inventoryLocation !== undefined) imported.inventoryLocation = inventoryLocation;
  if (unusedCounts.length > 0) (imported.unusedCounts ??= []).push(...unusedCounts);
  for (const name of tried.unknown) unknown.add(name);
}

/**
 * Imports a batch, compares its products, and rolls the batch back. The differences include what triggers and the
 * service change in a real import. `importBatch` may be called again after a deadlock. It returns the products
 * to compare.
 */
async function tryBatch<T>(
  ctx: Context,
  products: readonly FileProduct[],
  importBatch: (
    ctx: Context,
  ) => Promise<{ records: NamedRecords; decisions: ReadonlyMap<FileProduct, Decision>; result: T }>,
): Promise<{ differences: ProductDifference[]; result: T }> {
  return await inTentativeTransaction(ctx, async (ctx) => {
    const before = await matchingProducts(ctx, products);
    const { records, decisions, result } = await importBatch(ctx);
    const after = await matchingProducts(ctx, products);
    const compared = [...before, ...after].filter((product) => product !== undefined);
    const labels = { ...records, bundled: await productsInBundles(ctx, compared) };
    const differences = products.flatMap((product, index): ProductDifference[] => {
      const [old, current, decision] = [before[index], after[index], decisions.get(product)];
      const members = current && decision ? memberDifferences(old, current, labels) : [];
      if (!current || !decision || members.length === 0) return [];
      const { handle } = product;
      return [{ handle, name: current.stored.row.name, change: old ? 'UPDATED' : 'CREATED', ...decision, members }];
    });
    return { result: { differences, result }, isLasting: false };
  });
}

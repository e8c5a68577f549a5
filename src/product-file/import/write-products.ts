import type { Context } from '../../context.ts';
import { handlesIn, productsInBundles } from '../line/bundled-products.ts';
import { lineOf } from '../line/product-line.ts';
import type { NamedRecords } from '../line/named-records.ts';
import type { PortableProduct } from '../stored/portable-product.ts';
import { changedBundles, idsOfHandles } from './bundles.ts';
import { changedMembers, type Changes } from './changed-members.ts';
import type { FileProduct, KnownProduct, ReadProduct } from './file-product.ts';
import { importInput, withKnownNames } from './import-input.ts';
import type { Imported, ImportRun } from './import-run.ts';
import { matchingProducts } from './matching-products.ts';
import { type ImportEntry, sendEntries } from './send-entries.ts';
import { type Mistake, placeOf, reasonFor } from './skipped.ts';
import { createWantedRecords } from './wanted-records.ts';

/** Maximum number of warnings that the result lists. All of them are counted. */
export const MAX_LISTED_WARNINGS = 1_000;

/**
 * Writes the products that differ from the stored ones, and returns them. `isWritten` is asked when a product was read:
 * reading finds mistakes.
 */
export async function writeProducts(
  ctx: Context,
  products: readonly FileProduct[],
  run: ImportRun,
  isWritten: (product: FileProduct) => boolean = () => true,
): Promise<FileProduct[]> {
  const matching = await matchingProducts(ctx, products, (product, sourceId) =>
    addWarnings(run.imported, product, otherProduct(product, sourceId)),
  );
  const stored = new Map(products.map((product, index) => [product, matching[index]]));
  const first = products.filter((product) => run.seen.isFirst(product, stored.get(product), run.imported));
  const { records, products: accepted } = await createWantedRecords(ctx, run.records, first, run.imported);
  run.records = records;
  const bundled = await productsInBundles(
    ctx,
    matching.filter((product) => product !== undefined),
  );
  const batch = { ...run, records: { ...records, bundled } };
  const read = accepted.map((product) => readEntry(product, stored.get(product), batch));
  const handles = read.flatMap(({ read: { variants } }) => handlesIn(variants.map(({ line }) => line)));
  const bundledIds = await idsOfHandles(ctx, handles, run.seen);
  const compared = { ...batch, records: { ...batch.records, bundledIds } };
  const entries = read.filter(({ product }) => isWritten(product)).flatMap((entry) => entryOf(entry, compared));
  const sent = await sendEntries(ctx, entries, run);
  for (const entry of sent) run.bundles.add(entry, run.imported);
  return sent.map(({ product }) => product);
}

type ReadEntry = { product: FileProduct; known: KnownProduct | undefined; read: ReadProduct };

function readEntry(
  product: FileProduct,
  stored: PortableProduct | undefined,
  { imported, records, unknown }: ImportRun,
): ReadEntry {
  const known = stored && knownProduct(stored, records);
  const read = product.read(known, records, imported);
  return { product, known, read: withKnownNames(read, { isStored: known !== undefined, records, unknown }) };
}

/** None for a product that is the same, or that the shop has changed. */
function entryOf({ product, known, read }: ReadEntry, run: ImportRun): ImportEntry[] {
  const { imported, records } = run;
  addWarnings(imported, product, run.slips.find(product, read));
  const changes = changedMembers(read, known, records, run.retryImages);
  if (!changes.isChanged) {
    imported.unchanged += 1;
    return [];
  }
  const input = importInput(read, changes, known, records);
  const { isOnlyBundles } = changes;
  const entry = { product, input, bundles: changedBundles(product, read, changes), isOnlyBundles };
  if (!known) return [entry];
  const stored = known.product;
  // What the shop changes between the comparison and the write is not overwritten if the file has times.
  const isRequired = run.keep !== 'sheet' && product.exportedAt.product !== null;
  // Requests for pictures that failed overwrite nothing in the shop.
  const isOnlyRetry = run.retryImages && !changedMembers(read, known, records, false).isChanged;
  const newer = isOnlyRetry ? null : newerState(product, stored, changes);
  return decided({ ...entry, read: { ...stored, isRequired } }, newer, run);
}

function knownProduct(product: PortableProduct, records: NamedRecords): KnownProduct {
  const line = lineOf(product, records);
  return { product, line, variants: product.variants.map((own, index) => ({ ...own, line: line.variants[index]! })) };
}

/** Warns for exports only: a spreadsheet program may have changed the source id. In other files handles may repeat. */
function otherProduct(product: FileProduct, sourceId: string): Mistake[] {
  if (product.exportedAt.product === null) return [];
  const [own, other] = [product.sourceId, sourceId].map((id) => JSON.stringify(id));
  const reason = `has the source id ${own}, but the product with its handle has ${other}: it would be another product`;
  return [{ ...placeOf(product), reason }];
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
  if (keep === 'newer') imported.kept.push(reasonFor(product, reason));
  else imported.skipped.push(reasonFor(product, `${reason}: --keep sheet overwrites it, --keep newer leaves it`));
  onNewer(product, { outcome: keep === 'newer' ? 'KEPT' : 'SKIPPED', reason });
  return [];
}

/** What the shop has done to the product since the export, if the import would undo it. */
function newerState(product: FileProduct, stored: PortableProduct, changes: Changes): string | null {
  if (stored.stored.row.deleted) return 'has been deleted in the shop';
  const { exportedAt } = product;
  if (exportedAt.product === null) return null;
  const { createdAt, updatedAt, stockUpdatedAt } = stored;
  // An earlier import of the file has created it, and was interrupted before its bundles.
  if (createdAt > exportedAt.product && isOnlyCreated(stored) && changes.isWithoutBundles) return null;
  if (updatedAt > exportedAt.product)
    return `has been changed in the shop at ${new Date(updatedAt).toISOString()}, after the export`;
  if (!changes.hasStock || stockUpdatedAt === null || stockUpdatedAt <= (exportedAt.stock ?? exportedAt.product))
    return null;
  return `has another stock in the shop since ${new Date(stockUpdatedAt).toISOString()}, after the export`;
}

/** Whether nothing has saved the product since it was created, except that the service added pictures it has fetched. */
function isOnlyCreated({ stored, variants }: PortableProduct): boolean {
  const fetched = variants.flatMap(({ requestedImages }) => requestedImages.filter(({ state }) => state === 'DONE'));
  return stored.row.version === 1 + fetched.length;
}

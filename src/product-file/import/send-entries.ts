import type { Context } from '../../context.ts';
import { isConnectionLost } from '../../db/errors/connection-lost.ts';
import { isTimeout, sqlState } from '../../db/errors/database-error.ts';
import { CommerceError, type Issue } from '../../errors.ts';
import { bulkUpdateProducts } from '../../product/bulkUpdateProducts.ts';
import { getBulkOperation } from '../../product/getBulkOperation.ts';
import type { ReadProduct } from '../../product/stored/read-products.ts';
import type { WantedBundle } from './bundles.ts';
import type { FileProduct } from './file-product.ts';
import type { ImportInput } from './import-input.ts';
import type { Imported } from './import-run.ts';
import { distinctMistakes, inOrder, type Skipped, skippedBy, skippedFor } from './skipped.ts';

/** SQLSTATE classes of refused values: data exceptions and constraint violations. */
const REFUSED_VALUE = /^2[23]/;

export type ImportEntry = {
  product: FileProduct;
  input: ImportInput;
  /** The bundles to write after all products of the file. */
  bundles: WantedBundle[];
  /** Whether nothing else of the product changes. */
  isOnlyBundles: boolean;
  /** The stored product that was compared with the file; missing for a new one. */
  read?: ReadProduct;
};

type Counts = Pick<Imported, 'created' | 'updated' | 'variantsDeleted' | 'imagesPending' | 'skipped'>;
type Run = { imported: Counts; isTrial: boolean };

/**
 * Sends the entries in one request. If some are refused, sends the others again. Returns those written. A trial ends with the
 * first timeout: its transaction would keep the locks of the other entries while the rest is tried.
 */
export async function sendEntries(ctx: Context, entries: ImportEntry[], run: Run): Promise<ImportEntry[]> {
  if (entries.length === 0) return [];
  try {
    const id = await bulkUpdateProducts(
      ctx,
      { input: entries.map(({ input }) => input) as never },
      new Map(entries.flatMap(({ input, read }) => (read ? [[input.id!, read] as const] : []))),
    );
    const operation = await getBulkOperation(ctx, { id }, { created: {}, updated: {}, imagesPending: {} });
    run.imported.created += operation!.created;
    run.imported.updated += operation!.updated;
    run.imported.imagesPending += operation!.imagesPending;
    const removed = entries.reduce((count, { input }) => count + input.variants.filter(isDeleted).length, 0);
    if (removed > 0) run.imported.variantsDeleted = (run.imported.variantsDeleted ?? 0) + removed;
    return entries;
  } catch (error) {
    return await sendAccepted(ctx, entries, run, error);
  }
}

function isDeleted({ deleted }: ImportInput['variants'][number]): boolean {
  return deleted === true;
}

async function sendAccepted(ctx: Context, entries: ImportEntry[], run: Run, error: unknown): Promise<ImportEntry[]> {
  const refused = refusedEntries(error);
  for (const [index, issues] of refused) run.imported.skipped.push(located(entries[index]!, issues));
  if (refused.size > 0) {
    const accepted = entries.filter((_, index) => !refused.has(index));
    return await sendEntries(ctx, accepted, run);
  }
  if (!isAboutEntries(error) || (run.isTrial && isTimeout(error))) throw error;
  if (entries.length === 1) {
    run.imported.skipped.push(skippedFor(entries[0]!.product, reasonOf(error)));
    return [];
  }
  const half = Math.ceil(entries.length / 2);
  const first = await sendEntries(ctx, entries.slice(0, half), run);
  return [...first, ...(await sendEntries(ctx, entries.slice(half), run))];
}

/** The issues as mistakes of the file. */
function located({ product }: ImportEntry, issues: readonly Issue[]): Skipped {
  const mistakes = issues.map(({ path, message }) => {
    const inEntry = path.slice(2);
    const { title, ...place } = product.locate(inEntry);
    const member = title ?? (inEntry.length === 0 ? '' : `${inEntry.join('.')}:`);
    return { ...place, reason: `${member} ${message}`.trim() };
  });
  return skippedBy(product.handle, inOrder(distinctMistakes(mistakes)));
}

/** The issues of the refused entries by their indexes. */
function refusedEntries(error: unknown): Map<number, Issue[]> {
  if (!(error instanceof CommerceError)) return new Map();
  const { issues, path } = error.extensions as { issues?: Issue[]; path?: Issue['path'] };
  const all = issues ?? (path ? [{ path, message: error.message }] : []);
  const ofEntries = all.filter(({ path }) => typeof path[1] === 'number');
  return Map.groupBy(ofEntries, ({ path }) => path[1] as number);
}

function isAboutEntries(error: unknown): boolean {
  if (isConnectionLost(error)) return false;
  return error instanceof CommerceError || isTimeout(error) || REFUSED_VALUE.test(sqlState(error) ?? '');
}

/** The message of Postgres, without the statement around it. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

import type { Context } from '../../context.ts';
import { inTentativeTransaction } from '../../db/connection/transaction.ts';
import { CommerceError } from '../../errors.ts';
import type { FileProduct } from './file-product.ts';
import { importInput } from './import-input.ts';
import { emptyRun, type ImportRun } from './import-run.ts';
import { matchingProducts, RepeatedProducts } from './matching-products.ts';
import { readEntry } from './read-entry.ts';
import { sendEntries } from './send-entries.ts';
import {
  distinctMistakes,
  inOrder,
  listSkipped,
  type Mistake,
  type Skipped,
  skippedBy,
  withoutFollowing,
} from './skipped.ts';
import { createWantedRecords } from './wanted-records.ts';

/**
 * Skips products with mistakes, and names all mistakes at once: the products are imported without what is mistaken, and
 * rolled back, so that what the service refuses is found too.
 */
export async function skipMistaken(ctx: Context, products: readonly FileProduct[], run: ImportRun): Promise<void> {
  if (products.length === 0) return;
  const refused = await triedRefusals(ctx, products, run);
  const ofProducts = refusedMistakes(products, refused);
  for (const product of products) {
    const own = product.mistakes();
    const others = withoutFollowing(ofProducts.get(product) ?? [], own);
    const mistakes = inOrder(distinctMistakes([...own, ...others]));
    listSkipped(run.imported.skipped, skippedBy(product.handle || null, mistakes));
  }
}

/** Nothing if the transaction takes too long: the mistakes that are known are named anyway. */
async function triedRefusals(ctx: Context, products: readonly FileProduct[], run: ImportRun): Promise<Skipped[]> {
  try {
    return await inTentativeTransaction(ctx, async (ctx) => {
      return { result: await refusals(ctx, products, run), isLasting: false };
    });
  } catch (error) {
    if (error instanceof CommerceError && error.code === 'TIMEOUT') return [];
    throw error;
  }
}

/** What is refused if the mistakes are left out. */
async function refusals(ctx: Context, products: readonly FileProduct[], run: ImportRun): Promise<Skipped[]> {
  const tried = { ...run, ...emptyRun(), repeated: new RepeatedProducts(), onNewer: () => {} };
  const { imported } = tried;
  // A row without a handle belongs to no product.
  const [strays, named] = [
    products.filter(({ handle }) => handle === ''),
    products.filter(({ handle }) => handle !== ''),
  ];
  const { records, products: accepted } = await createWantedRecords(ctx, run.records, named, imported);
  const stored = await matchingProducts(ctx, accepted);
  for (const stray of strays) readEntry(stray, undefined, { ...tried, records });
  const entries = accepted.flatMap((product, index) => {
    const { read, known, changes } = readEntry(product, stored[index], { ...tried, records });
    if (!tried.repeated.isFirst(product, stored[index], imported) || !changes.isChanged) return [];
    return [{ product, input: importInput(read, changes, known, records), bundles: [] }];
  });
  await sendEntries(ctx, entries, imported);
  return imported.skipped;
}

/** The products have their rows in the order of the file, so the last one that begins before a line has it. */
function refusedMistakes(
  products: readonly FileProduct[],
  refused: readonly Skipped[],
): ReadonlyMap<FileProduct, Mistake[]> {
  const found = new Map<FileProduct, Mistake[]>();
  for (const { handle: _handle, mistakes, ...whole } of refused) {
    const product = products.findLast(({ line }) => line <= whole.line);
    if (product) found.set(product, [...(found.get(product) ?? []), ...(mistakes ?? [whole])]);
  }
  return found;
}

import type { Context } from '../../context.ts';
import { isConnectionLost } from '../../db/errors/connection-lost.ts';
import { sqlState } from '../../db/errors/sql-state.ts';
import { CommerceError, type Issue } from '../../errors.ts';
import { analyzeProducts } from '../bulk/analyze-products.ts';
import { bulkUpdateProducts } from '../bulkUpdateProducts.ts';
import { getBulkOperation } from '../getBulkOperation.ts';
import type { PortableProduct } from '../portable/portable-product.ts';
import { type BulkInput, bulkInput } from './bulk-input.ts';
import { changes } from './changes.ts';
import type { Layout } from './columns.ts';
import { readCsv, type CsvProduct, type Skipped } from './read-csv.ts';
import { ProductError } from './row-reader.ts';
import { createMissingLocations, readStoreIds, type StoreIds } from './store-ids.ts';
import { matchingProducts } from './matching-products.ts';

/** As many as one bulk request takes; rows are bounded too, as a product may have very many. */
const BATCH_PRODUCTS_MAX = 1_000;
const BATCH_ROWS_MAX = 10_000;
/** New products after which Postgres looks at the tables again; then after twice as many, and so on. */
const ANALYZE_FIRST_AFTER = 1_000;
/** Values that the database refuses: out of range, or against a constraint. */
const REFUSED_VALUE = /^2[23]/;

export type Imported = {
  created: number;
  updated: number;
  unchanged: number;
  skipped: Skipped[];
  /** Pictures that the service fetches now, in the background. */
  imagesPending: number;
  /** Titles of columns that are not read, those of price lists that the merchant does not have among them. */
  ignoredColumns: string[];
};

export type ImportOptions = {
  /** Asks again for pictures that could not be fetched. */
  retryImages: boolean;
  onBatch: (imported: Imported) => void;
};

/**
 * Brings what a product sheet says into the merchant's catalogue, in batches of which each happens wholly
 * or not at all. Sends only what is new, so that a second run, or one after a crash, changes nothing
 * that is there already.
 */
export async function importCsv(
  ctx: Context,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<Imported> {
  const { layout, entries } = await readCsv(chunks);
  let storeIds = await readStoreIds(ctx);
  const imported: Imported = {
    created: 0,
    updated: 0,
    unchanged: 0,
    skipped: [],
    imagesPending: 0,
    ignoredColumns: ignoredColumns(layout, storeIds),
  };
  let batch: CsvProduct[] = [];
  let rowCount = 0;
  let analyzeAt = ANALYZE_FIRST_AFTER;
  const flush = async (): Promise<void> => {
    storeIds = await createMissingLocations(ctx, storeIds, layout, batch);
    await importBatch(ctx, batch, { ...options, layout, storeIds, imported });
    batch = [];
    rowCount = 0;
    options.onBatch(imported);
    if (imported.created < analyzeAt) return;
    await analyzeProducts(ctx);
    analyzeAt = imported.created * 2;
  };
  for await (const { product, skipped } of entries) {
    if (skipped) imported.skipped.push(skipped);
    else {
      batch.push(product);
      rowCount += product.rows.length;
    }
    if (batch.length === BATCH_PRODUCTS_MAX || rowCount >= BATCH_ROWS_MAX) await flush();
  }
  await flush();
  imported.skipped.sort((a, b) => a.line - b.line);
  return imported;
}

function ignoredColumns({ listPrices, titles, unread }: Layout, { priceLists }: StoreIds): string[] {
  const ofOtherLists = [...listPrices].flatMap(([label, places]) =>
    priceLists.has(label) ? [] : [...places.values()].map((place) => titles[place]!),
  );
  return [...unread, ...ofOtherLists];
}

type Work = ImportOptions & { layout: Layout; storeIds: StoreIds; imported: Imported };
type Entry = { csvProduct: CsvProduct; input: BulkInput };

async function importBatch(ctx: Context, csvProducts: CsvProduct[], work: Work): Promise<void> {
  const stored = await matchingProducts(ctx, csvProducts, work.layout);
  const entries = csvProducts.flatMap((csvProduct, index) => entryOf(csvProduct, stored[index], work));
  await send(ctx, withoutRepeated(entries, work), work);
}

function entryOf(
  csvProduct: CsvProduct,
  stored: PortableProduct | undefined,
  { layout, storeIds, retryImages, imported }: Work,
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

/** Two handles may lead to one product: by its source id and by its slug. */
function withoutRepeated(entries: Entry[], { imported }: Work): Entry[] {
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

/** Sends the entries in one request; when some are refused, the others again without them. */
async function send(ctx: Context, entries: Entry[], work: Work): Promise<void> {
  if (entries.length === 0) return;
  const { imported } = work;
  try {
    const id = await bulkUpdateProducts(ctx, { input: entries.map(({ input }) => input) });
    const operation = await getBulkOperation(ctx, { id });
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
        work,
      );
    if (!isAboutEntries(error)) throw error;
    if (entries.length === 1) {
      imported.skipped.push(skippedFor(entries[0]!.csvProduct, reasonOf(error)));
      return;
    }
    const half = Math.ceil(entries.length / 2);
    await send(ctx, entries.slice(0, half), work);
    await send(ctx, entries.slice(half), work);
  }
}

function skippedFor({ rows, handle }: CsvProduct, reason: string): Skipped {
  return { line: rows[0]!.line, handle, reason };
}

/** The entries that a refusal names, each with what it says about them. */
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

/** Of a refusal by the database what Postgres said, without the statement around it. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

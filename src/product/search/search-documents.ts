import { type SQL, sql } from 'drizzle-orm';
import { productSearchPending } from '../../../drizzle/product-search.ts';
import type { MerchantContext } from '../../context.ts';
import { limitLockWaits, taskContext } from '../../db/across/merchant-context.ts';
import { MerchantFailures } from '../../db/across/merchant-failures.ts';
import { merchantsWithRows } from '../../db/across/merchants-with-rows.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { pipeline, pipelineStep } from '../../db/connection/pipeline.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { isStatementTimeout, lacksResources } from '../../db/errors/database-error.ts';
import { ownedBy } from '../../db/sql/parameter.ts';

/** Notified when changed products are queued for their search documents to be written. */
export const SEARCH_CHANNEL = 'product_search';

/** Products written by one statement. 500 take Postgres 50 ms. Fewer are written if their texts are long. */
const PRODUCTS_PER_BATCH = 500;
/** How long a search waits for other processes that write documents, and begins to write batches. */
const SEARCH_WRITES_MS = 5_000;

/**
 * Writes the search documents of this merchant's recently changed products, so that a search finds what was saved
 * before it. Writes those of up to 500 changes: after a larger bulk request `updateAllSearchDocuments` writes the rest.
 * Begins no more if the time is over, and writes none if the database cannot: a search of the documents as they are is
 * better than none.
 */
export async function updateSearchDocuments(ctx: MerchantContext): Promise<void> {
  const endMs = performance.now() + SEARCH_WRITES_MS;
  try {
    for (let written = 0; written < PRODUCTS_PER_BATCH;) {
      const taken = await writeAfterWaiting(ctx, Math.ceil(endMs - performance.now()));
      if (taken === 0) return;
      written += taken;
    }
  } catch (error) {
    if (!lacksResources(error) && !isStatementTimeout(error)) throw error;
  }
}

/**
 * Waits for another process that writes the oldest change, and then writes a batch. Only the wait has the time limit: if a
 * batch could be cancelled because of the time before it, searches that wait for each other would all cancel theirs.
 */
async function writeAfterWaiting({ db, merchantId }: MerchantContext, waitMs: number): Promise<number> {
  if (waitMs <= 0) return 0;
  return await inTransaction({ db, merchantId }, async (ctx) => {
    return await pipeline(ctx, [
      pipelineStep(sql`select set_config('statement_timeout', ${String(waitMs)}, true)`),
      pipelineStep(sql`
        select ${productSearchPending.id} from ${productSearchPending} where ${ownedBy(ctx, productSearchPending)}
        order by ${productSearchPending.id} limit 1 for update`),
      pipelineStep(sql`set local statement_timeout to default`),
      { statement: writePending(ctx), read: ([row]) => Number(row!['taken']) },
    ]);
  });
}

/**
 * Writes the pending search documents of all merchants, one batch of each merchant in turn. After each turn it looks for
 * merchants again, so that a merchant with much to write delays no other.
 */
export async function updateAllSearchDocuments({ db, across }: AcrossContext, signal: AbortSignal): Promise<void> {
  const failures = new MerchantFailures();
  for (let hasMore = true; hasMore;) {
    hasMore = false;
    for (const merchantId of await merchantsWithRows(across, productSearchPending)) {
      if (signal.aborted) return;
      const taken = await failures.attempt(merchantId, () => writeBatch(taskContext(db, merchantId)));
      hasMore ||= taken !== undefined && taken > 0;
    }
  }
  failures.throwAny();
}

async function writeBatch(merchant: MerchantContext): Promise<number> {
  return await inTransaction(merchant, async (ctx) => {
    await limitLockWaits(ctx);
    const [row] = await readRows(ctx, { taken: column.number }, writePending(ctx));
    return row!.taken;
  });
}

/** Leaves out the changes that another process writes. */
function writePending({ merchantId }: MerchantContext): SQL {
  const batchSize = sql.raw(String(PRODUCTS_PER_BATCH));
  return sql`select product_search_write_pending(${merchantId}::uuid, ${batchSize}) as "taken"`;
}

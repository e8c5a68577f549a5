import { type SQL, sql } from 'drizzle-orm';
import { productSearchPending } from '../../../drizzle/product-search.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { pipeline, pipelineStep } from '../../db/connection/pipeline.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { lacksResources } from '../../db/errors/lacking-resources.ts';
import { isStatementTimeout } from '../../db/errors/statement-ended.ts';
import { merchantsWithRows } from '../../db/read/merchants-with-rows.ts';
import { MerchantFailures } from '../../db/write/merchant-failures.ts';

/** Notified when changed products are queued for their search documents to be written. */
export const SEARCH_CHANNEL = 'product_search';

/** Products written by one statement. 500 take Postgres 50 ms. Fewer are written if their texts are long. */
const PRODUCTS_PER_BATCH = 500;
/** How long a search writes documents, or waits for another process that writes them. */
const SEARCH_WRITES_MS = 5_000;

/**
 * Writes the search documents of this merchant's recently changed products, so that a search finds what was saved
 * before it. Writes one batch only: after a bulk request `updateAllSearchDocuments` writes the rest. Writes nothing if
 * the database cannot, or not in time: a search of the documents as they are is better than none.
 */
export async function updateSearchDocuments({ db, merchantId }: MerchantContext): Promise<void> {
  try {
    await inTransaction({ db, merchantId }, async (ctx) => {
      await pipeline(ctx, [
        pipelineStep(sql`select set_config('statement_timeout', ${String(SEARCH_WRITES_MS)}, true)`),
        pipelineStep(writePending(ctx, true)),
      ]);
    });
  } catch (error) {
    if (!lacksResources(error) && !isStatementTimeout(error)) throw error;
  }
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
      const taken = await failures.attempt(merchantId, () => writeBatch({ db, merchantId }));
      hasMore ||= taken === PRODUCTS_PER_BATCH;
    }
  }
  failures.throwAny();
}

async function writeBatch(ctx: MerchantContext): Promise<number> {
  const [row] = await readRows(ctx, { taken: column.number }, writePending(ctx, false));
  return row!.taken;
}

/** `waits`: for the products that another process writes. */
function writePending({ merchantId }: MerchantContext, waits: boolean): SQL {
  const batchSize = sql.raw(String(PRODUCTS_PER_BATCH));
  return sql`select product_search_write_pending(${merchantId}::uuid, ${batchSize}, ${waits}) as "taken"`;
}

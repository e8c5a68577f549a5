import { sql } from 'drizzle-orm';
import { productSearchPending } from '../../../drizzle/product-search.ts';
import type { Context } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { lacksResources } from '../../db/errors/lacking-resources.ts';
import { merchantsWithRows } from '../../db/read/merchants-with-rows.ts';
import { MerchantFailures } from '../../db/write/merchant-failures.ts';

/** Notified when changed products are queued for their search documents to be written. */
export const SEARCH_CHANNEL = 'product_search';

/** Products written by one statement. 500 take Postgres 50 ms. */
const PRODUCTS_PER_BATCH = 500;

/**
 * Writes the search documents of this merchant's recently changed products, so that a search finds what was saved
 * before it. Writes one batch only: after a bulk request `updateAllSearchDocuments` writes the rest. Writes nothing if
 * the database cannot: a search of the documents as they are is better than none.
 */
export async function updateSearchDocuments(ctx: Pick<Context, 'db' | 'merchantId'>): Promise<void> {
  await writeBatch(ctx, true).catch((error: unknown) => {
    if (!lacksResources(error)) throw error;
  });
}

/** Writes the pending search documents of all merchants, one batch of each merchant in turn. */
export async function updateAllSearchDocuments({ db, across }: AcrossContext, signal: AbortSignal): Promise<void> {
  const failures = new MerchantFailures();
  for (let merchants = await merchantsWithRows(across, productSearchPending); merchants.length > 0;) {
    const remaining: string[] = [];
    for (const merchantId of merchants) {
      if (signal.aborted) return;
      const taken = await failures.attempt(merchantId, () => writeBatch({ db, merchantId }, false));
      if (taken === PRODUCTS_PER_BATCH) remaining.push(merchantId);
    }
    merchants = remaining;
  }
  failures.throwAny();
}

async function writeBatch({ db, merchantId }: Pick<Context, 'db' | 'merchantId'>, waits: boolean): Promise<number> {
  const batchSize = sql.raw(String(PRODUCTS_PER_BATCH));
  const [row] = await readRows(
    { db },
    { taken: column.number },
    sql`select product_search_write_pending(${merchantId}::uuid, ${batchSize}, ${waits}) as "taken"`,
  );
  return row!.taken;
}

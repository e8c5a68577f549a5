import { type SQL, sql } from 'drizzle-orm';
import type { MerchantContext } from '../../context.ts';
import type { AcrossContext } from '../connection/across-merchants.ts';
import { column } from '../connection/read-rows.ts';
import { idArray } from '../sql/parameter.ts';
import type { TenantTable } from '../read/projection.ts';
import { MerchantFailures } from './merchant-failures.ts';

/** Rows of a merchant that one batch should have at the most, so that it holds its locks for a short time only. */
export const BATCH_SIZE = 1_000;

export type DueRows = { table: TenantTable; isDue: SQL };

/**
 * Processes the due rows of all merchants, and returns their number. `processBatch` processes due rows of one merchant and
 * returns their number; afterwards they must no longer be due. A merchant whose batch fails is left out from then on. Ends
 * after a round over the merchants in which nothing was processed and nothing failed: no due row is left then, except
 * those of merchants that were left out and those that other processes have locked. It returns before its next batch if
 * `signal` is aborted.
 */
export async function processDueRows(
  { db, across }: AcrossContext,
  { table, isDue }: DueRows,
  processBatch: (ctx: MerchantContext) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  const failures = new MerchantFailures();
  let processed = 0;
  for (let isDone = false; !isDone;) {
    const failed = failures.merchantIds;
    const merchants = await across.rows(
      'merchantsWithDueRows',
      { id: column.text },
      sql`
      select distinct due.merchant_id as "id" from (
        select ${table.merchantId} as merchant_id from ${table}
        where ${isDue} and ${table.merchantId} <> all(${idArray(failed)}) limit ${sql.raw(String(BATCH_SIZE))}
      ) as due`,
    );
    const before = processed;
    for (const { id } of merchants) {
      if (signal?.aborted) return processed;
      processed += (await failures.attempt(id, () => processBatch({ db, merchantId: id }))) ?? 0;
    }
    isDone = processed === before && failures.merchantIds.length === failed.length;
  }
  failures.throwAny();
  return processed;
}

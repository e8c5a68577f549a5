import { sql } from 'drizzle-orm';
import { merchant } from '../../../drizzle/merchant.ts';
import type { AcrossMerchants } from '../connection/across-merchants.ts';
import { column, type Row } from '../connection/read-rows.ts';
import { NO_ID } from '../sql/id.ts';
import type { TenantTable } from './projection.ts';

/** A task handles at most so many merchants before it looks for merchants again. */
const MAX_MERCHANTS = 1_000;

/**
 * The merchants that have rows in a queue table, in the order of their ids. Each statement looks up the next merchant
 * in the index, so that the cost does not depend on the number of rows. One recursive statement could do the same, but
 * Citus refuses it without a condition on the merchant.
 */
export async function merchantsWithRows(across: AcrossMerchants, table: TenantTable): Promise<string[]> {
  const merchants: string[] = [];
  while (merchants.length < MAX_MERCHANTS) {
    const [next] = await across.rows(
      'merchantsWithPending',
      { id: column.text },
      sql`
      select ${table.merchantId} as "id" from ${table}
      where ${table.merchantId} > ${merchants.at(-1) ?? NO_ID}::uuid order by ${table.merchantId} limit 1`,
    );
    if (!next) break;
    merchants.push(next.id);
  }
  return merchants;
}

const MERCHANT = { merchantId: column.text, isHistoryFull: column.boolean };

/** All merchants, in the order of their ids. */
export async function allMerchants(across: AcrossMerchants): Promise<readonly Row<typeof MERCHANT>[]> {
  return await across.rows(
    'allMerchants',
    MERCHANT,
    sql`
    select ${merchant.merchantId} as "merchantId", ${merchant.isHistoryFull} as "isHistoryFull" from ${merchant}
    order by ${merchant.merchantId}`,
  );
}

import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { merchant } from '../../../drizzle/merchant.ts';
import type { AcrossMerchants, CrossMerchantStatement } from '../connection/across-merchants.ts';
import { column, type Row } from '../connection/read-rows.ts';
import { NO_ID } from '../sql/id.ts';
import type { TenantTable } from '../read/projection.ts';

/** A task handles at most so many merchants before it looks for merchants again. */
const MAX_MERCHANTS = 1_000;

/** `where` and `columns` are the condition of an index, and its columns after that of the merchant. */
type IndexedRows = { readonly table: TenantTable; readonly where?: SQL; readonly columns?: readonly AnyPgColumn[] };

/** The merchants that have rows in a queue table, in the order of their ids. */
export async function merchantsWithRows(across: AcrossMerchants, table: TenantTable): Promise<string[]> {
  const merchants: string[] = [];
  for await (const merchantId of eachMerchantWithRows(across, 'merchantsWithPending', { table })) {
    merchants.push(merchantId);
    if (merchants.length === MAX_MERCHANTS) break;
  }
  return merchants;
}

/**
 * The merchants that have such rows, in the order of their ids. Each statement looks up the next merchant in the index, so
 * that the cost does not depend on the number of rows. One recursive statement could do the same, but Citus refuses it
 * without a condition on the merchant.
 */
export async function* eachMerchantWithRows(
  across: AcrossMerchants,
  statement: CrossMerchantStatement,
  { table, where = sql`true`, columns = [] }: IndexedRows,
): AsyncGenerator<string> {
  const order = sql.join([table.merchantId, ...columns], sql`, `);
  for (let after = NO_ID; ;) {
    const [next] = await across.rows(
      statement,
      { id: column.text },
      sql`
      select ${table.merchantId} as "id" from ${table}
      where ${where} and ${table.merchantId} > ${after}::uuid order by ${order} limit 1`,
    );
    if (!next) return;
    yield next.id;
    after = next.id;
  }
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

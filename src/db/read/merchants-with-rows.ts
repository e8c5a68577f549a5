import { sql } from 'drizzle-orm';
import type { AcrossMerchants } from '../connection/across-merchants.ts';
import { NO_ID } from '../sql/id.ts';
import type { TenantTable } from './projection.ts';

/** Merchants of one round of a task. */
const MAX_MERCHANTS = 1_000;

/**
 * The merchants with rows in a table that is a queue. A loose index scan: one look-up for each merchant, however many
 * rows are queued. Not as a recursive statement, which a cluster refuses without a merchant's condition.
 */
export async function merchantsWithRows(across: AcrossMerchants, table: TenantTable): Promise<string[]> {
  const merchants: string[] = [];
  while (merchants.length < MAX_MERCHANTS) {
    const [next] = await across.execute<{ id: string }>(
      'merchantsWithPending',
      sql`
      select ${table.merchantId} as "id" from ${table}
      where ${table.merchantId} > ${merchants.at(-1) ?? NO_ID}::uuid order by ${table.merchantId} limit 1`,
    );
    if (!next) break;
    merchants.push(next.id);
  }
  return merchants;
}

import { sql } from 'drizzle-orm';
import { change } from '../../drizzle/change.ts';
import { merchant } from '../../drizzle/merchant.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { column } from '../db/connection/read-rows.ts';
import { ownedBy } from '../db/sql/tenant.ts';

/**
 * Measures the histories of all merchants. Further changes of a merchant with more bytes are recorded without values,
 * until enough old ones are removed. Returns the merchants whose history is full.
 */
export async function limitHistories({ db, across }: AcrossContext, maxBytes: number): Promise<string[]> {
  // 1,000,000 changes take 0.2 s.
  const sizes = await across.rows(
    'historySizes',
    { id: column.text, bytes: column.number, isFull: column.boolean },
    sql`
    select ${merchant.merchantId} as "id", ${merchant.isHistoryFull} as "isFull",
      coalesce(sum(${change.bytes}), 0)::float8 as "bytes"
    from ${merchant} left join ${change} on ${change.merchantId} = ${merchant.merchantId}
    group by ${merchant.merchantId}, ${merchant.isHistoryFull}
    having (coalesce(sum(${change.bytes}), 0) > ${maxBytes}::bigint) <> ${merchant.isHistoryFull}
      or ${merchant.isHistoryFull}`,
  );
  const full = sizes.filter(({ bytes }) => bytes > maxBytes);
  for (const { id, bytes, isFull } of sizes) {
    if (bytes > maxBytes === isFull) continue;
    await db.execute(
      sql`update ${merchant} set is_history_full = ${!isFull}
      where ${ownedBy({ merchantId: id }, merchant)}`,
    );
  }
  return full.map(({ id }) => id);
}

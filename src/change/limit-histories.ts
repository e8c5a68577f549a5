import { sql } from 'drizzle-orm';
import { change } from '../../drizzle/change.ts';
import { merchant } from '../../drizzle/merchant.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { column } from '../db/connection/read-rows.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { MerchantFailures } from '../db/write/merchant-failures.ts';

/** What the histories of all merchants have. */
export type HistoryFigures = {
  readonly changes: number;
  /** Length of the values as JSON texts. */
  readonly bytes: number;
  /** Age of the oldest change in seconds; 0 without one. */
  readonly oldestS: number;
  /** The merchants whose history is full. */
  readonly full: readonly string[];
};

/**
 * Measures the histories of all merchants. Further changes of a merchant with more bytes are recorded without values,
 * until enough old ones are removed.
 */
export async function limitHistories({ db, across }: AcrossContext, maxBytes: number): Promise<HistoryFigures> {
  // 1,000,000 changes take 0.2 s.
  const sizes = await across.rows(
    'historySizes',
    { id: column.text, isFull: column.boolean, changes: column.number, bytes: column.number, oldestS: column.number },
    sql`
    select ${merchant.merchantId} as "id", ${merchant.isHistoryFull} as "isFull",
      count(${change.id})::int as "changes", coalesce(sum(${change.bytes}), 0)::float8 as "bytes",
      coalesce(extract(epoch from now() - min(${change.createdAt})), 0)::float8 as "oldestS"
    from ${merchant} left join ${change} on ${change.merchantId} = ${merchant.merchantId}
    group by ${merchant.merchantId}, ${merchant.isHistoryFull}
    having count(${change.id}) > 0 or ${merchant.isHistoryFull}`,
  );
  const failures = new MerchantFailures();
  for (const { id, isFull } of sizes.filter(({ bytes, isFull }) => bytes > maxBytes !== isFull))
    await failures.attempt(id, () =>
      db.execute(sql`
        update ${merchant} set is_history_full = ${!isFull} where ${ownedBy({ merchantId: id }, merchant)}`),
    );
  failures.throwAny();
  const sum = (of: 'changes' | 'bytes'): number => sizes.reduce((total, size) => total + size[of], 0);
  return {
    changes: sum('changes'),
    bytes: sum('bytes'),
    oldestS: sizes.reduce((oldest, size) => Math.max(oldest, size.oldestS), 0),
    full: sizes.filter(({ bytes }) => bytes > maxBytes).map(({ id }) => id),
  };
}

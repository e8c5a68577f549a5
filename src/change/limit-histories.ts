import { sql } from 'drizzle-orm';
import { change } from '../../drizzle/change.ts';
import { merchant } from '../../drizzle/merchant.ts';
import type { MerchantContext } from '../context.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { type MeasureOptions, rowSlices } from '../db/read/row-slices.ts';
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

type Size = Pick<HistoryFigures, 'changes' | 'bytes' | 'oldestS'>;

/**
 * Measures the histories of all merchants. Further changes of a merchant with more bytes are recorded without values,
 * until enough old ones are removed. No statement reads more than a slice of one history, so that none takes longer than
 * statements may, however large the histories are.
 */
export async function limitHistories(
  { db, across }: AcrossContext,
  maxBytes: number,
  { signal, sliceRows }: MeasureOptions = {},
): Promise<HistoryFigures> {
  const merchants = await across.rows(
    'merchantsWithHistories',
    { merchantId: column.text, isFull: column.boolean },
    sql`select ${merchant.merchantId} as "merchantId", ${merchant.isHistoryFull} as "isFull" from ${merchant}`,
  );
  const failures = new MerchantFailures();
  const sizes: Size[] = [];
  const full: string[] = [];
  for (const { merchantId, isFull } of merchants) {
    if (signal?.aborted) break;
    await failures.attempt(merchantId, async () => {
      const size = await sizeOf({ db, merchantId }, sliceRows);
      sizes.push(size);
      const isTooLarge = size.bytes > maxBytes;
      if (isTooLarge) full.push(merchantId);
      if (isTooLarge !== isFull) await mark({ db, merchantId }, isTooLarge);
    });
  }
  failures.throwAny();
  return { ...together(sizes), full };
}

async function mark(ctx: MerchantContext, isFull: boolean): Promise<void> {
  await ctx.db.execute(sql`update ${merchant} set is_history_full = ${isFull} where ${ownedBy(ctx, merchant)}`);
}

async function sizeOf(ctx: MerchantContext, sliceRows?: number): Promise<Size> {
  const slices: Size[] = [];
  for await (const isInSlice of rowSlices(ctx, { table: change, key: change.id }, sliceRows))
    slices.push(
      ...(await readRows(
        ctx,
        { changes: column.number, bytes: column.number, oldestS: column.number },
        sql`
        select count(*)::int as "changes", coalesce(sum(${change.bytes}), 0)::float8 as "bytes",
          coalesce(extract(epoch from now() - min(${change.createdAt})), 0)::float8 as "oldestS"
        from ${change} where ${isInSlice}`,
      )),
    );
  return together(slices);
}

function together(sizes: readonly Size[]): Size {
  const sum = (of: 'changes' | 'bytes'): number => sizes.reduce((total, size) => total + size[of], 0);
  const oldestS = sizes.reduce((oldest, size) => Math.max(oldest, size.oldestS), 0);
  return { changes: sum('changes'), bytes: sum('bytes'), oldestS };
}

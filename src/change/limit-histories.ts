import { sql } from 'drizzle-orm';
import { change } from '../../drizzle/change.ts';
import { merchant } from '../../drizzle/merchant.ts';
import type { MerchantContext } from '../context.ts';
import { forEachMerchant } from '../db/across/for-each-merchant.ts';
import { allMerchants } from '../db/across/merchants-with-rows.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { type Measure, type MeasureOptions, measureRows, sumOfMeasures } from '../db/read/row-slices.ts';
import { ownedBy } from '../db/sql/parameter.ts';

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

const CHANGES = { table: change, key: change.id };

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
  const sizes: Measure[] = [];
  const full: string[] = [];
  const limit = async (ctx: MerchantContext, { isHistoryFull }: { isHistoryFull: boolean }): Promise<void> => {
    const size = await measureRows(ctx, CHANGES, sql`${change.bytes}`, sliceRows);
    sizes.push(size);
    const isTooLarge = size.bytes > maxBytes;
    if (isTooLarge) full.push(ctx.merchantId);
    if (isTooLarge !== isHistoryFull) await mark(ctx, isTooLarge);
  };
  await forEachMerchant(db, await allMerchants(across), limit, signal);
  const { rows, bytes, oldestS } = sumOfMeasures(sizes);
  return { changes: rows, bytes, oldestS, full };
}

async function mark(ctx: MerchantContext, isFull: boolean): Promise<void> {
  await ctx.db.execute(sql`update ${merchant} set is_history_full = ${isFull} where ${ownedBy(ctx, merchant)}`);
}

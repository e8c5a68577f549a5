import { sql } from 'drizzle-orm';
import { stockHold } from '../../drizzle/stock-hold.ts';
import { stockKey } from '../../drizzle/stock-key.ts';
import { stockMovement } from '../../drizzle/stock-movement.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { allMerchants } from '../db/across/merchants-with-rows.ts';
import { type Measure, type MeasureOptions, measureRows, sumOfMeasures } from '../db/read/row-slices.ts';
import { tableBytes } from '../db/read/table-bytes.ts';
import { taskContext } from '../db/across/merchant-context.ts';
import { MerchantFailures } from '../db/across/merchant-failures.ts';

const TABLES = {
  stock_movement: { table: stockMovement, key: stockMovement.id },
  stock_hold: { table: stockHold, key: stockHold.id },
  stock_key: { table: stockKey, key: stockKey.key },
};

/** What a table has of all merchants. */
export type StockFigures = {
  readonly table: string;
  readonly rows: number;
  /** On the disk, with the indexes. */
  readonly bytes: number;
  /** Age of the oldest row in seconds; 0 without one. */
  readonly oldestS: number;
};

/**
 * Counts the rows of the tables that grow with each movement and hold, and measures their size and age. No statement
 * reads more than a slice of one merchant's rows, since movements are kept for ever.
 */
export async function stockFigures(
  { db, across }: AcrossContext,
  isCluster: boolean,
  { signal, sliceRows }: MeasureOptions = {},
): Promise<StockFigures[]> {
  const merchants = await allMerchants(across);
  const failures = new MerchantFailures();
  const figures: StockFigures[] = [];
  for (const [name, keyed] of Object.entries(TABLES)) {
    const measures: Measure[] = [];
    for (const { merchantId } of merchants) {
      if (signal?.aborted) break;
      await failures.attempt(merchantId, async () =>
        measures.push(await measureRows(taskContext(db, merchantId), keyed, sql`0`, sliceRows)),
      );
    }
    // A statement of its own, because a cluster would send the function to the shards together with the table.
    const bytes = await tableBytes(db, name, isCluster);
    const { rows, oldestS } = sumOfMeasures(measures);
    figures.push({ table: name, rows, bytes, oldestS });
  }
  failures.throwAny();
  return figures;
}

import { sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { merchant } from '../../drizzle/merchant.ts';
import { stockHold } from '../../drizzle/stock-hold.ts';
import { stockKey } from '../../drizzle/stock-key.ts';
import { stockMovement } from '../../drizzle/stock-movement.ts';
import type { MerchantContext } from '../context.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { type KeyedTable, type MeasureOptions, rowSlices } from '../db/read/row-slices.ts';
import { MerchantFailures } from '../db/write/merchant-failures.ts';

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

type Counted = Pick<StockFigures, 'rows' | 'oldestS'>;

/**
 * Counts the rows of the tables that grow with each movement and hold, and measures their size and age. No statement
 * reads more than a slice of one merchant's rows, since movements are kept for ever.
 */
export async function stockFigures(
  { db, across }: AcrossContext,
  isCluster: boolean,
  { signal, sliceRows }: MeasureOptions = {},
): Promise<StockFigures[]> {
  const merchants = await across.rows(
    'stockFigures',
    { merchantId: column.text },
    sql`select ${merchant.merchantId} as "merchantId" from ${merchant}`,
  );
  // On a cluster the table of the coordinator is empty.
  const sizeOf = sql.raw(isCluster ? 'citus_total_relation_size' : 'pg_total_relation_size');
  const failures = new MerchantFailures();
  const figures: StockFigures[] = [];
  for (const [name, keyed] of Object.entries(TABLES)) {
    const counted: Counted[] = [];
    for (const { merchantId } of merchants) {
      if (signal?.aborted) break;
      await failures.attempt(merchantId, async () =>
        counted.push(...(await count({ db, merchantId }, keyed, sliceRows))),
      );
    }
    // A statement of its own, because a cluster would send the function to the shards together with the table.
    const [sized] = await readRows(
      { db },
      { bytes: column.number },
      sql`select ${sizeOf}(${name}::regclass)::float8 as "bytes"`,
    );
    const rows = counted.reduce((sum, { rows }) => sum + rows, 0);
    const oldestS = counted.reduce((oldest, { oldestS }) => Math.max(oldest, oldestS), 0);
    figures.push({ table: name, rows, oldestS, ...sized! });
  }
  failures.throwAny();
  return figures;
}

/** Counts each slice of a merchant's rows. */
async function count(
  ctx: MerchantContext,
  keyed: KeyedTable & { readonly table: { readonly createdAt: AnyPgColumn } },
  sliceRows: number | undefined,
): Promise<Counted[]> {
  const { table } = keyed;
  const counted: Counted[] = [];
  for await (const isInSlice of rowSlices(ctx, keyed, sliceRows))
    counted.push(
      ...(await readRows(
        ctx,
        { rows: column.number, oldestS: column.number },
        sql`
        select count(*)::int as "rows",
          greatest(coalesce(extract(epoch from now() - min(${table.createdAt})), 0), 0)::float8 as "oldestS"
        from ${table} where ${isInSlice}`,
      )),
    );
  return counted;
}

import { sql } from 'drizzle-orm';
import { stockHold } from '../../drizzle/stock-hold.ts';
import { stockKey } from '../../drizzle/stock-key.ts';
import { stockMovement } from '../../drizzle/stock-movement.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { column, readRows } from '../db/connection/read-rows.ts';

const TABLES = { stock_movement: stockMovement, stock_hold: stockHold, stock_key: stockKey };

/** What a table has of all merchants. */
export type StockFigures = {
  readonly table: string;
  readonly rows: number;
  /** On the disk, with the indexes. */
  readonly bytes: number;
  /** Age of the oldest row in seconds; 0 without one. */
  readonly oldestS: number;
};

/** Counts the rows of the tables that grow with each movement and hold, and measures their size and age. */
export async function stockFigures({ db, across }: AcrossContext, isCluster: boolean): Promise<StockFigures[]> {
  // On a cluster the table of the coordinator is empty.
  const sizeOf = sql.raw(isCluster ? 'citus_total_relation_size' : 'pg_total_relation_size');
  const figures: StockFigures[] = [];
  for (const [name, table] of Object.entries(TABLES)) {
    const [counted] = await across.rows(
      'stockFigures',
      { rows: column.number, oldestS: column.number },
      sql`
      select count(*)::float8 as "rows",
        greatest(coalesce(extract(epoch from now() - min(${table.createdAt})), 0), 0)::float8 as "oldestS"
      from ${table}`,
    );
    // A statement of its own, because a cluster would send the function to the shards together with the table.
    const [sized] = await readRows(
      { db },
      { bytes: column.number },
      sql`select ${sizeOf}(${name}::regclass)::float8 as "bytes"`,
    );
    figures.push({ table: name, ...counted!, ...sized! });
  }
  return figures;
}

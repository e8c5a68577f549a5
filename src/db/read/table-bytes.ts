import { sql } from 'drizzle-orm';
import type { Database } from '../connection/database.ts';
import { column, readRows } from '../connection/read-rows.ts';

/** The bytes of a table on the disk, with its long values and its indexes. */
export async function tableBytes(db: Database, table: string, isCluster: boolean): Promise<number> {
  // On a cluster the table of the coordinator is empty.
  const sizeOf = sql.raw(isCluster ? 'citus_total_relation_size' : 'pg_total_relation_size');
  const [row] = await readRows(
    { db },
    { bytes: column.number },
    sql`select ${sizeOf}(${table}::regclass)::float8 as "bytes"`,
  );
  return row!.bytes;
}

import { sql } from 'drizzle-orm';
import type { Database } from '../connection/database.ts';
import { column, readRows } from '../connection/read-rows.ts';

/** The size of a table on disk in bytes, including its indexes and TOAST data. On a cluster of all nodes together. */
export async function tableBytes(db: Database, table: string, isCluster: boolean): Promise<number> {
  // The rows of a distributed table are on the nodes: the coordinator's own table is empty.
  const sizeOf = sql.raw(isCluster ? 'citus_total_relation_size' : 'pg_total_relation_size');
  const [row] = await readRows(
    { db },
    { bytes: column.number },
    sql`select ${sizeOf}(${table}::regclass)::float8 as "bytes"`,
  );
  return row!.bytes;
}

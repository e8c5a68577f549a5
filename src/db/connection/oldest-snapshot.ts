import { sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { column, readRows } from './read-rows.ts';

/** What holds back vacuum: the holder's name, its xmin, and the number of transactions since. */
export type Snapshot = { holder: string; xmin: string; transactions: number };

/**
 * The oldest snapshot that holds back vacuum in this database, except this session's. Snapshots of sessions in other
 * databases do not; those of standbys, which belong to no database, do.
 */
export async function oldestSnapshot(db: Database): Promise<Snapshot | null> {
  const [oldest] = await readRows(
    { db },
    { holder: column.text, xmin: column.text, transactions: column.number },
    sql`
    select holder as "holder", xmin::text as "xmin", age(xmin)::int as "transactions" from (
      select concat_ws(' ', 'process', pid, application_name, state) as holder, backend_xmin as xmin
      from pg_stat_activity where pid <> pg_backend_pid() and coalesce(datname, current_database()) = current_database()
      union all select concat('replication slot ', slot_name), xmin from pg_replication_slots
      union all select concat('replication slot ', slot_name), catalog_xmin from pg_replication_slots
      union all select concat('prepared transaction ', gid), transaction from pg_prepared_xacts
      where database = current_database()
    ) as snapshot
    where xmin is not null order by age(xmin) desc limit 1`,
  );
  return oldest ?? null;
}

import { sql } from 'drizzle-orm';
import type { Database } from '../connection/database.ts';
import { column, readRows, type Row } from '../connection/read-rows.ts';

/** `refresh` is the statement that stores the version of the library, once the indexes are rebuilt. */
const COLLATION = { name: column.text, stored: column.text, current: column.text, refresh: column.text };

/**
 * The collations of our indexes that were built with another version of ICU or the C library than the server has now. If the
 * new version sorts texts differently, searches in the index miss rows, and unique indexes accept duplicates. PostgreSQL
 * itself warns only of the database's collation. Collations without a version never change.
 */
export async function outdatedCollations(db: Database): Promise<Row<typeof COLLATION>[]> {
  return await readRows(
    { db },
    COLLATION,
    sql`
    select name as "name", stored as "stored", current as "current", refresh as "refresh" from (
      select 'the database' as name, datcollversion as stored, pg_database_collation_actual_version(oid) as current,
        format('alter database %I refresh collation version', datname) as refresh
      from pg_database where datname = current_database()
      union all
      select collname, collversion, pg_collation_actual_version(oid),
        format('alter collation pg_catalog.%I refresh version', collname)
      from pg_collation where collname = 'und-x-icu'
    ) as versions
    where stored <> current`,
  );
}

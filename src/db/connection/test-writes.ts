import { sql } from 'drizzle-orm';
import { SQLSTATE } from '../errors/database-error.ts';
import type { Database } from './database.ts';
import { column, readRows } from './read-rows.ts';

/**
 * Throws if PostgreSQL cannot write to the disk of the database, or refuses all changes. It writes a temporary file of
 * 1 MiB: no other write allocates space on the disk for certain, leaves nothing behind and needs no privileges.
 */
export async function testWrites(db: Database): Promise<void> {
  await db.transaction(async (transaction) => {
    // What does not fit into `work_mem` is written to a file, by default on the disk of the database.
    await transaction.execute(
      sql`select set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true)`,
    );
    const [row] = await readRows(
      { db: transaction },
      { isReadOnly: column.boolean, bytes: column.number },
      sql`
        with written as materialized (select repeat(md5(n::text), 1024) as text from generate_series(1, 32) as n)
        select current_setting('transaction_read_only')::boolean as "isReadOnly", sum(length(text))::float8 as "bytes"
        from written`,
    );
    if (row!.isReadOnly) throw Object.assign(new Error('The database is read-only.'), { code: SQLSTATE.readOnly });
  });
}

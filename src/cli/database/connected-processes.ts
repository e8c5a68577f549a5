import { sql } from 'drizzle-orm';
import { column, readRows } from '../../db/connection/read-rows.ts';
import type { Database } from '../../db/connection/connect.ts';

/**
 * Counts the processes of the service that are connected to the database, and the workers among them, but no commands.
 */
export async function connectedProcesses(db: Database): Promise<{ processes: number; workers: number }> {
  const [row] = await readRows(
    { db },
    { processes: column.number, workers: column.number },
    sql`
    select count(*) filter (where application_name = 'commerce-readiness')::int as processes,
      count(*) filter (where application_name = 'commerce-queue')::int as workers
    from pg_stat_activity where datname = current_database()`,
  );
  return row!;
}

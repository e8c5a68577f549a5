import { sql } from 'drizzle-orm';
import { column, readRows } from '../../db/connection/read-rows.ts';
import type { Database } from '../../db/connection/database.ts';

/**
 * Counts the processes of the service that are connected to the database, and the workers among them, but no commands. A
 * worker that has lost its readiness connection is a process too: without requests it does not open it again.
 */
export async function connectedProcesses(db: Database): Promise<{ processes: number; workers: number }> {
  const [row] = await readRows(
    { db },
    { processes: column.number, workers: column.number },
    sql`
    select greatest(ready, least(workers, 1)) as processes, workers
    from (
      select count(*) filter (where application_name = 'commerce-readiness')::int as ready,
        count(*) filter (where application_name = 'commerce-queue')::int as workers
      from pg_stat_activity where datname = current_database()
    ) as connected`,
  );
  return row!;
}

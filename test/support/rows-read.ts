import { sql } from 'drizzle-orm';
import type { TestDatabase } from './database.ts';

/** Connections of a test database. Statements that run at the same time use one each. */
const CONNECTIONS = 5;

/** Why a test that counts rows is skipped on a cluster. */
export const ON_NODES = 'the statistics of a table are on the nodes of a cluster';

/** How many rows of a table the statements of `run` read, through an index or not. */
export async function rowsRead(database: TestDatabase, table: string, run: () => Promise<unknown>): Promise<number> {
  const before = await readUntilNow(database, table);
  await run();
  return (await readUntilNow(database, table)) - before;
}

/** The statistics of a session are seen by others when it has been idle for a second, or is made to send them. */
export async function sendStatistics({ db }: TestDatabase): Promise<void> {
  const send = async (): Promise<unknown> => await db.execute(sql`select pg_stat_force_next_flush(), pg_sleep(0.02)`);
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
}

async function readUntilNow(database: TestDatabase, table: string): Promise<number> {
  await sendStatistics(database);
  const [row] = await database.owner.execute<{ read: number }>(
    sql`select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables where relname = ${table}`,
  );
  return row!.read;
}

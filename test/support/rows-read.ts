import { type SQL, sql } from 'drizzle-orm';
import type { TestDatabase } from './database.ts';

/** Connections of a test database. Statements that run at the same time use one each. */
const CONNECTIONS = 5;

/** Why a test that counts rows is skipped on a cluster. */
export const ON_NODES = 'the statistics of a table are on the nodes of a cluster';

/** How many rows of a table the statements of `run` read, through an index or not. */
export async function rowsRead(database: TestDatabase, table: string, run: () => Promise<unknown>): Promise<number> {
  const rows = sql`select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables where relname = ${table}`;
  return await countedRead(database, rows, run);
}

/** How many blocks of an index the statements of `run` read, from memory or not; a block twice if they read it twice. */
export async function blocksRead(database: TestDatabase, index: string, run: () => Promise<unknown>): Promise<number> {
  const blocks = sql`
    select (idx_blks_hit + idx_blks_read)::int as read from pg_statio_user_indexes where indexrelname = ${index}`;
  return await countedRead(database, blocks, run);
}

/** The statistics of a session are seen by others when it has been idle for a second, or is made to send them. */
export async function sendStatistics({ db }: TestDatabase): Promise<void> {
  const send = async (): Promise<unknown> => await db.execute(sql`select pg_stat_force_next_flush(), pg_sleep(0.02)`);
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
}

async function countedRead(database: TestDatabase, counter: SQL, run: () => Promise<unknown>): Promise<number> {
  const before = await readUntilNow(database, counter);
  await run();
  return (await readUntilNow(database, counter)) - before;
}

async function readUntilNow(database: TestDatabase, counter: SQL): Promise<number> {
  await sendStatistics(database);
  const [row] = await database.owner.execute<{ read: number }>(counter);
  return row!.read;
}

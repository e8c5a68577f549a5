import { sql } from 'drizzle-orm';
import type { Context } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';

/** The clock of the database, by which holds end, in whole milliseconds. */
export async function databaseTime(ctx: Context): Promise<number> {
  const time = sql`select floor(extract(epoch from statement_timestamp()) * 1000)::float8 as "now"`;
  const [row] = await readRows(ctx, { now: column.number }, time);
  return row!.now;
}

import { sql } from 'drizzle-orm';
import type { DatabaseContext } from '../connection/database.ts';
import { column, readRows } from '../connection/read-rows.ts';
import { firstIdOf } from '../sql/id.ts';

/** `firstId`: the lowest id that was made since then. */
export type KeptSince = { readonly since: string; readonly firstId: string };

/** The time before which rows are too old, by the clock of the database. */
export async function keptSince(ctx: DatabaseContext, keepDays: number): Promise<KeptSince> {
  const [limit] = await readRows(
    ctx,
    { since: column.text, ms: column.number },
    sql`
    select kept.since::text as "since", floor(extract(epoch from kept.since) * 1000)::float8 as "ms"
    from (select now() - make_interval(days => ${keepDays}::integer) as since) as kept`,
  );
  return { since: limit!.since, firstId: firstIdOf(limit!.ms) };
}

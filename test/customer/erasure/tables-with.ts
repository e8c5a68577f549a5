import { sql } from 'drizzle-orm';
import type { Database } from '../../../src/db/connection/database.ts';

/**
 * The tables of the database, found from its catalogue, that have a row with one of the texts, in any column. Texts are
 * compared without case, also with those of bytes. Call it as the owner, who may read all tables.
 */
export async function tablesWith(owner: Database, texts: readonly string[]): Promise<string[]> {
  const tables = await owner.execute<{ name: string }>(sql`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
    order by 1`);
  const found: string[] = [];
  for (const { name } of tables) {
    const wanted = texts.flatMap((text) => [text.toLowerCase(), Buffer.from(text).toString('hex')]);
    const rows = await owner.execute(sql`
      select 1 from ${sql.raw(name)} as r
      where exists (select from json_array_elements_text(${JSON.stringify(wanted)}::json) as w(text)
        where strpos(lower(r::text), w.text) > 0) limit 1`);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

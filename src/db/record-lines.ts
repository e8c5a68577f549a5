import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { CompiledRecord } from './compile.ts';
import type { PageRequest } from './page.ts';
import type { NamedTable, Shape, TenantTable } from './shape.ts';
import { ofFirst } from './tenant.ts';

/** A row of the statement: first one about the whole page, then one for each record. */
export type Line = { n: number; data: string | null; bytes: number | null };

/** Texts of records are sent up to so many bytes of one statement; the rest is counted. */
export function bytesMaxOf({ answer }: Pick<Context, 'answer'>): number {
  return answer?.sentBytesMax ?? Number.MAX_SAFE_INTEGER;
}

type About = { name: string; value: SQL };

/**
 * A row with what is told about the page, then one for each record of the statement's `hits`, which has a row `(id, n)` for
 * each and one for the next page. Each record has a row of its own, so that Postgres holds one text at a time; once the texts
 * are over `bytesMax` they are counted and no longer sent. The statement's first parameter is the merchant.
 */
export function lines<Type, Table extends TenantTable & Pick<NamedTable, 'id'>>(type: Shape<Type, Table>, compiled: CompiledRecord, request: PageRequest, bytesMax: number, about: readonly About[]): SQL {
  const row = type.table;
  const limit = sql.raw(String(request.limit));
  const first = about.map(({ name, value }) => sql`${value} as ${sql.identifier(name)}`);
  return sql`
    select 0 as "n", null as "data", null::int as "bytes", ${sql.join(first, sql`, `)}
    union all
    select n, case when sum(octet_length(data)) over (order by n rows unbounded preceding) <= ${sql.raw(String(bytesMax))} then data end,
      octet_length(data), ${sql.raw(about.map(() => 'null').join(', '))}
    from (
      select hit.n, ${compiled.sql} as data
      from (select hits.n, hits.id from hits where hits.n <= ${limit} order by hits.n offset 0) as hit
      join ${row} on ${ofFirst(row)} and ${row.id} = hit.id
      order by hit.n offset 0
    ) as record`;
}

export function recordsOf(lines: readonly Line[]): { data: string; bytes: number } {
  const texts: string[] = [];
  let bytes = 2;
  for (const line of lines) {
    if (line.bytes === null) continue;
    bytes += line.bytes + 1;
    if (line.data !== null) texts.push(line.data);
  }
  return { data: `[${texts.join(',')}]`, bytes: Math.max(2, bytes - 1) };
}
